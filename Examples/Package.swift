// swift-tools-version: 6.1
// The sample applications are a separate package, so that the library does not depend on a web server.
import PackageDescription

let package = Package(
    name: "Examples",
    products: [.library(name: "TableScreens", targets: ["TableScreens"])],
    dependencies: [
        .package(name: "ManagedGraph", path: ".."),
        .package(name: "Studio", path: "../Studio"),
        // One trait: SwiftPM passes several in any order, and each other order compiles Hummingbird again.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        .target(
            name: "TableScreens",
            dependencies: [
                .product(name: "CoreData", package: "ManagedGraph"),
                .product(name: "GraphUpkeep", package: "ManagedGraph"),
                .product(name: "WebSupport", package: "Studio"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")]
        ),
        .target(
            name: "TaskList",
            dependencies: ["TableScreens", .product(name: "CoreData", package: "ManagedGraph")],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
        .target(
            name: "Tasks",
            dependencies: ["TableScreens", .product(name: "CoreData", package: "ManagedGraph")],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
        .target(
            name: "CoreDump",
            dependencies: ["TableScreens", .product(name: "CoreData", package: "ManagedGraph")],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
        .target(
            name: "FlashCards",
            dependencies: ["TableScreens", .product(name: "CoreData", package: "ManagedGraph")],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
        .target(
            name: "GroceryDude",
            dependencies: ["TableScreens", .product(name: "CoreData", package: "ManagedGraph")],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
        .executableTarget(
            name: "Examples",
            dependencies: [
                "TableScreens", "TaskList", "Tasks", "CoreDump", "FlashCards", "GroceryDude",
                .product(name: "ManagedGraphStudio", package: "Studio"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "TableScreensTests",
            dependencies: [
                "TableScreens",
                .product(name: "CoreData", package: "ManagedGraph"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Without libpq the applications can be built for stores in files alone.
if Context.environment["MANAGEDGRAPH_WITHOUT_POSTGRESQL"] == nil {
    for target in package.targets where ["Examples", "TableScreensTests"].contains(target.name) {
        target.dependencies.append(.product(name: "ManagedGraphPostgreSQL", package: "ManagedGraph"))
    }
}
