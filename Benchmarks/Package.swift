// swift-tools-version: 6.1
// A separate package, so that the libraries ManagedGraph is compared with never become its dependencies.
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "ManagedGraph", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "benchmark",
            dependencies: [
                .product(name: "ManagedGraph", package: "ManagedGraph"),
                .product(name: "GRDB", package: "GRDB.swift"),
                // The raw subject calls the same library that GRDB and ManagedGraph link.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            // The classes in Generated are made from it in advance: see README.md. With the build plugin, a first build
            // would compile swift-syntax too.
            exclude: ["Entries.xcdatamodeld"]
        ),
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .executableTarget(
            name: "benchmark-postgresql",
            dependencies: ["CLibpq", .product(name: "ManagedGraphPostgreSQL", package: "ManagedGraph")],
            exclude: ["Staff.xcdatamodeld"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
