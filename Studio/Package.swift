// swift-tools-version: 6.1
// The studio is a separate package, so that the library does not depend on a web server. The sample applications use it.
import PackageDescription

let package = Package(
    name: "Studio",
    products: [
        .library(name: "ManagedGraphStudio", targets: ["ManagedGraphStudio"]),
        .library(name: "WebSupport", targets: ["WebSupport"]),
        .executable(name: "managedgraph-studio", targets: ["managedgraph-studio"]),
    ],
    dependencies: [
        .package(name: "ManagedGraph", path: ".."),
        // One trait: SwiftPM passes several in any order, and each other order compiles Hummingbird again.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        // Pages, assets, open responses and the check of requests, for the studio and for the sample applications.
        .target(
            name: "WebSupport",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "ManagedGraphStudio",
            dependencies: [
                "WebSupport",
                .product(name: "CoreData", package: "ManagedGraph"),
                .product(name: "GraphBrowsing", package: "ManagedGraph"),
                .product(name: "GraphModelling", package: "ManagedGraph"),
                .product(name: "GraphUpkeep", package: "ManagedGraph"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")]
        ),
        .executableTarget(
            name: "managedgraph-studio",
            dependencies: [
                "ManagedGraphStudio",
                .product(name: "GraphUpkeep", package: "ManagedGraph"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ManagedGraphStudioTests",
            dependencies: ["ManagedGraphStudio", .product(name: "CoreData", package: "ManagedGraph")]
        ),
        .testTarget(
            name: "WebSupportTests",
            dependencies: ["WebSupport", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Without libpq the command can be built for stores in files alone.
if Context.environment["MANAGEDGRAPH_WITHOUT_POSTGRESQL"] == nil {
    package.targets.first { $0.name == "managedgraph-studio" }?.dependencies
        .append(.product(name: "ManagedGraphPostgreSQL", package: "ManagedGraph"))
}
