// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "ManagedGraph",
    products: [
        .library(name: "ManagedGraph", targets: ["ManagedGraph"]),
        .library(name: "CoreData", targets: ["CoreData"]),
        .library(name: "ManagedGraphPostgreSQL", targets: ["ManagedGraphPostgreSQL"]),
        .library(name: "GraphPredicates", targets: ["GraphPredicates"]),
        .library(name: "ApplePlatformShims", targets: ["ApplePlatformShims", "CombineShims"]),
        .library(name: "GraphBrowsing", targets: ["GraphBrowsing"]),
        .library(name: "ManagedGraphTesting", targets: ["ManagedGraphTesting"]),
        .library(name: "GraphUpkeep", targets: ["GraphUpkeep"]),
        .library(name: "GraphModelling", targets: ["GraphModelling"]),
        .plugin(name: "GenerateManagedObjects", targets: ["GenerateManagedObjects"]),
        .executable(name: "managedgraph", targets: ["ManagedGraphCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CSwiftRuntime"),
        .target(name: "GraphArchives"),
        .target(name: "GraphModel", dependencies: ["GraphArchives"]),
        .target(name: "GraphModelFiles", dependencies: ["GraphArchives", "GraphModel", "GraphPredicates"]),
        .target(name: "GraphPredicates", dependencies: ["GraphArchives"]),
        // The interface of store engines, independent of objects.
        .target(name: "GraphEngine", dependencies: ["CSwiftRuntime", "GraphModel", "GraphPredicates"]),
        .target(name: "GraphSQL", dependencies: ["GraphArchives", "GraphEngine", "GraphModel", "GraphPredicates"]),
        .target(
            name: "GraphSQLite",
            dependencies: ["CSQLite", "GraphArchives", "GraphEngine", "GraphModel", "GraphPredicates", "GraphSQL"]
        ),
        // Only programs that name it are linked with libpq.
        .target(
            name: "GraphPostgreSQL",
            dependencies: ["CPostgreSQL", "GraphArchives", "GraphEngine", "GraphModel", "GraphPredicates", "GraphSQL"]
        ),
        .target(
            name: "ManagedGraph",
            dependencies: [
                "CSwiftRuntime", "GraphArchives", "GraphEngine", "GraphModel", "GraphModelFiles", "GraphPredicates",
                "GraphSQL", "GraphSQLite",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Stores in PostgreSQL, for programs that name the product.
        .target(name: "CManagedGraphPostgreSQL"),
        .target(
            name: "ManagedGraphPostgreSQL",
            dependencies: [
                "CManagedGraphPostgreSQL", "GraphEngine", "GraphModel", "GraphPostgreSQL", "GraphSQL", "ManagedGraph",
            ]
        ),
        .target(name: "CoreDataDefines"),
        .target(name: "CoreData", dependencies: ["CoreDataDefines", "ManagedGraph"]),
        // Replacements for other Apple frameworks that ported code uses.
        .target(name: "ApplePlatformShims", dependencies: [.product(name: "Logging", package: "swift-log")]),
        .target(name: "CombineShims"),
        // Operations on whole stores and models, for the command and for tests of users' programs; not part of the
        // library.
        .target(
            name: "ManagedGraphTools",
            dependencies: [
                "GraphArchives", "GraphEngine", "GraphModel", "GraphModelFiles", "GraphPredicates", "GraphSQL",
                "GraphSQLite", "ManagedGraph",
            ]
        ),
        // The public part of the tools, for programs outside of this package such as the studio.
        .target(name: "GraphUpkeep", dependencies: ["ManagedGraph", "ManagedGraphTools"]),
        // Stores as a browser shows them: rows in windows, staged edits, predicates as they are typed.
        .target(
            name: "GraphBrowsing",
            dependencies: [
                "GraphArchives", "GraphEngine", "GraphModel", "GraphPredicates", "GraphSQL", "ManagedGraph",
                "ManagedGraphTools",
            ]
        ),
        .target(name: "ManagedGraphTesting", dependencies: ["GraphModel", "ManagedGraph", "ManagedGraphTools"]),
        .target(
            name: "GraphCodeGeneration",
            dependencies: [
                "GraphArchives", "GraphModel", "GraphModelFiles", "GraphSQL",
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ]
        ),
        .target(
            name: "GraphPorting",
            dependencies: [
                "GraphArchives", "GraphCodeGeneration", "GraphModelFiles",
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ]
        ),
        // Editing sessions of models, for the studio and other editors.
        .target(
            name: "GraphModelling",
            dependencies: [
                "GraphArchives", "GraphCodeGeneration", "GraphModel", "GraphModelFiles", "GraphPredicates", "GraphSQL",
                "ManagedGraph", "ManagedGraphTools",
            ]
        ),
        .executableTarget(
            name: "generate-managed-objects",
            dependencies: [
                "GraphCodeGeneration", "GraphModelFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .plugin(
            name: "GenerateManagedObjects",
            capability: .buildTool(),
            dependencies: ["generate-managed-objects"]
        ),
        // Named differently from its product: many file systems do not distinguish folders that differ only in case.
        .executableTarget(
            name: "ManagedGraphCommand",
            dependencies: [
                "GraphArchives", "GraphCodeGeneration", "GraphEngine", "GraphModel", "GraphModelFiles", "GraphPorting",
                "GraphPredicates", "GraphSQLite", "ManagedGraph", "ManagedGraphTools",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Expectations that compile faster than macros.
        .target(name: "ExpectationSupport", path: "Tests/ExpectationSupport"),
        // Repeatable random numbers, processes, models in code and contexts, for all tests.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(name: "ModelSupport", dependencies: ["GraphModel"], path: "Tests/ModelSupport"),
        .target(name: "GraphSupport", dependencies: ["ManagedGraph"], path: "Tests/GraphSupport"),
        .testTarget(name: "GraphArchivesTests", dependencies: ["ExpectationSupport", "GraphArchives"]),
        .testTarget(name: "GraphModelTests", dependencies: ["ExpectationSupport", "GraphArchives", "GraphModel"]),
        .testTarget(
            name: "GraphModellingTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphModel", "GraphModelFiles", "GraphModelling",
                "ManagedGraphTools", "TestSupport",
            ]
        ),
        // Finds the files that tests of formats read: Tests/Fixtures, which a script makes from the documented formats,
        // and collections beside the repository.
        .target(name: "CollectionSupport", path: "Tests/CollectionSupport"),
        .testTarget(
            name: "GraphModelFilesTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphArchives", "GraphModel", "GraphModelFiles",
                "GraphPredicates", "GraphSQLite",
            ]
        ),
        .testTarget(
            name: "GraphPredicatesTests",
            dependencies: ["CollectionSupport", "ExpectationSupport", "GraphPredicates", "TestSupport"]
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphModel", "GraphModelFiles", "GraphSQL", "GraphSQLite",
                "GraphSupport", "ManagedGraph", "ManagedGraphCommand", "ManagedGraphTools", "PostgreSQLSupport",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "GraphSQLTests",
            dependencies: [
                "ExpectationSupport", "GraphEngine", "GraphModel", "GraphPostgreSQL", "GraphPredicates", "GraphSQL",
                "GraphSQLite", "ModelSupport", "PostgreSQLSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "GraphSQLSchemaTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphEngine", "GraphModel", "GraphModelFiles", "GraphSQL",
                "GraphSQLite", "ModelSupport",
            ]
        ),
        // PostgreSQL servers of the tests' own.
        .target(name: "PostgreSQLSupport", dependencies: ["CPostgreSQL"], path: "Tests/PostgreSQLSupport"),
        .testTarget(
            name: "GraphPostgreSQLTests",
            dependencies: [
                "ExpectationSupport", "GraphEngine", "GraphPostgreSQL", "GraphSQL", "PostgreSQLSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "GraphSQLiteTests",
            dependencies: ["ExpectationSupport", "GraphEngine", "GraphModel", "GraphSQL", "GraphSQLite", "TestSupport"]
        ),
        .testTarget(
            name: "ApplePlatformShimsTests",
            dependencies: [
                "ApplePlatformShims", "CombineShims", "ExpectationSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "GraphPortingTests",
            dependencies: [
                "ApplePlatformShims", "CombineShims", "CoreData", "ExpectationSupport", "GraphPorting", "TestSupport",
            ]
        ),
        .testTarget(
            name: "GraphCodeGenerationTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphCodeGeneration", "GraphModel", "GraphModelFiles",
                "GraphSQL", "ModelSupport", "TestSupport",
            ]
        ),
        .target(
            name: "CorpusSupport",
            dependencies: ["CollectionSupport", "GraphModel", "GraphModelFiles", "ManagedGraph"],
            path: "Tests/CorpusSupport"
        ),
        .executableTarget(
            name: "DamageProgram",
            dependencies: [
                "CollectionSupport", "CorpusSupport", "GraphModel", "GraphModelFiles", "GraphSQL", "GraphSQLite",
                "GraphSupport", "ManagedGraph", "ManagedGraphTools", "TestSupport",
            ],
            path: "Tests/DamageProgram"
        ),
        .testTarget(
            name: "CorpusStoreTests",
            dependencies: [
                "CollectionSupport", "CorpusSupport", "DamageProgram", "ExpectationSupport", "GraphModel",
                "GraphModelFiles", "GraphSQL", "GraphSQLite", "GraphSupport", "ManagedGraph", "ManagedGraphTools",
            ]
        ),
        // Reads the files of Tests/Fixtures, which a script makes from the documented formats.
        .testTarget(
            name: "FixtureTests",
            dependencies: [
                "ExpectationSupport", "GraphModel", "GraphModelFiles", "GraphPredicates", "GraphSQL", "GraphSQLite",
                "GraphSupport", "ManagedGraph", "ManagedGraphTools", "TestSupport",
            ]
        ),
        .executableTarget(
            name: "MainQueueProgram",
            dependencies: ["GraphSupport", "ManagedGraph"],
            path: "Tests/MainQueueProgram"
        ),
        // Stacks over models that tests of the framework share.
        .target(
            name: "StackSupport",
            dependencies: ["ExpectationSupport", "GraphSQL", "GraphSQLite", "GraphSupport", "ManagedGraph"],
            path: "Tests/StackSupport"
        ),
        // Contexts: queues, saves, merging, history, undo, and random walks.
        .testTarget(
            name: "ManagedGraphTests",
            dependencies: [
                "ExpectationSupport", "GraphEngine", "GraphSQL", "GraphSQLite", "GraphSupport", "ManagedGraph",
                "ManagedGraphPostgreSQL", "PostgreSQLSupport", "StackSupport", "TestSupport",
            ]
        ),
        // Objects: states, values, relationships, validation, deletion.
        .testTarget(
            name: "ObjectTests",
            dependencies: [
                "ExpectationSupport", "GraphSQL", "GraphSQLite", "GraphSupport", "ManagedGraph", "StackSupport",
                "TestSupport",
            ]
        ),
        // Requests: fetches, faults, batches, and the monitors of them.
        .testTarget(
            name: "FetchTests",
            dependencies: [
                "ExpectationSupport", "GraphEngine", "GraphSQL", "GraphSQLite", "GraphSupport", "MainQueueProgram",
                "ManagedGraph", "StackSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ManagedGraphModelTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphArchives", "GraphEngine", "GraphModel",
                "GraphModelFiles", "GraphSQL", "GraphSQLite", "GraphSupport", "ManagedGraph", "ManagedGraphTools",
                "TestSupport",
            ]
        ),
        .executableTarget(
            name: "MigrationProgram",
            dependencies: ["ManagedGraph"],
            path: "Tests/MigrationProgram"
        ),
        .testTarget(
            name: "MigrationTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphArchives", "GraphEngine", "GraphModel",
                "GraphModelFiles", "GraphPostgreSQL", "GraphSQL", "GraphSQLite", "GraphSupport", "ManagedGraph",
                "ManagedGraphPostgreSQL", "ManagedGraphTesting", "ManagedGraphTools", "MigrationProgram",
                "PostgreSQLSupport", "SafetySupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "GraphUpkeepTests",
            dependencies: ["CollectionSupport", "ExpectationSupport", "GraphSQLite", "GraphUpkeep", "ManagedGraph"]
        ),
        .executableTarget(
            name: "StoreProgram",
            dependencies: ["CSQLite", "GraphSupport", "ManagedGraph", "ManagedGraphTools", "TestSupport"],
            path: "Tests/StoreProgram"
        ),
        // Reads files that are made to exhaust memory.
        .executableTarget(
            name: "HostileFileProgram",
            dependencies: ["GraphArchives", "GraphModelFiles", "GraphSupport", "ManagedGraph", "ManagedGraphTools"],
            path: "Tests/HostileFileProgram"
        ),
        // The parsers of untrusted input that fuzzing calls.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "GraphArchives", "GraphModel", "GraphModelFiles", "GraphPostgreSQL", "GraphPredicates", "GraphSupport",
                "ManagedGraph", "ManagedGraphTools",
            ],
            path: "Fuzzing/Targets"
        ),
        // Writes one store from several processes, for stores of each type.
        .target(
            name: "SharedStoreSupport",
            dependencies: ["GraphSupport", "ManagedGraph", "ManagedGraphPostgreSQL", "TestSupport"],
            path: "Tests/SharedStoreSupport"
        ),
        .executableTarget(
            name: "SharedStoreProgram",
            dependencies: ["ManagedGraph", "SharedStoreSupport"],
            path: "Tests/SharedStoreProgram"
        ),
        .testTarget(
            name: "SafetyTests",
            dependencies: [
                "CSQLite", "ExpectationSupport", "FuzzTargets", "GraphSQL", "GraphSQLite", "GraphSupport",
                "HostileFileProgram", "ManagedGraph", "ManagedGraphPostgreSQL", "ManagedGraphTools",
                "PostgreSQLSupport", "SafetySupport", "SharedStoreProgram", "SharedStoreSupport", "StoreProgram",
                "TestSupport",
            ]
        ),
        // Cuts the power and fails calls of the C library, for all files of the program; a program of its own, because all
        // calls of the program pass through it. The tests run it but are not linked with it.
        .target(name: "CFileCalls", path: "Tests/CFileCalls"),
        .executableTarget(
            name: "OutageProgram",
            dependencies: [
                "CFileCalls", "GraphArchives", "GraphModel", "GraphModelling", "GraphSQLite", "GraphSupport",
                "ManagedGraph", "ManagedGraphTools", "TestSupport",
            ],
            path: "Tests/OutageProgram"
        ),
        .target(name: "SafetySupport", dependencies: ["CSQLite", "TestSupport"], path: "Tests/SafetySupport"),
        // Every engine must pass these tests, including one that keeps its rows in dictionaries.
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "ExpectationSupport", "GraphEngine", "GraphModel", "GraphPostgreSQL", "GraphPredicates", "GraphSQL",
                "GraphSQLite", "GraphSupport", "ManagedGraph", "ManagedGraphPostgreSQL", "PostgreSQLSupport",
            ]
        ),
        .testTarget(
            name: "GraphBrowsingTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphBrowsing", "GraphSupport", "ManagedGraph",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ResultsControllerTests",
            dependencies: ["ExpectationSupport", "GraphPredicates", "GraphSupport", "ManagedGraph", "TestSupport"]
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "CollectionSupport", "ExpectationSupport", "GraphArchives", "GraphModelFiles", "GraphSupport",
                "ManagedGraph", "ManagedGraphPostgreSQL", "ManagedGraphTools", "PostgreSQLSupport",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The command opens stores in PostgreSQL databases; without libpq it can be built without them.
if Context.environment["MANAGEDGRAPH_WITHOUT_POSTGRESQL"] == nil {
    package.targets.first { $0.name == "ManagedGraphCommand" }?.dependencies.append("ManagedGraphPostgreSQL")
}

// `make docs` alone needs the documentation plugin; users of the library need not resolve it.
if Context.environment["MANAGEDGRAPH_DOCUMENTATION"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// `make fuzz` alone links libFuzzer.
if Context.environment["MANAGEDGRAPH_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(name: "FuzzProgram", dependencies: ["FuzzTargets"], path: "Fuzzing/Program")
    )
}
