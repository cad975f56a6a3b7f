// swift-tools-version: 6.1
// A user's package, outside of the repository: run.sh copies it and replaces ROOT by the repository's path.
import PackageDescription

let package = Package(
    name: "Bookshelf",
    dependencies: [.package(name: "ManagedGraph", path: "ROOT")],
    targets: [
        .target(name: "Money"),
        .target(
            name: "Shelf",
            dependencies: ["Money", .product(name: "CoreData", package: "ManagedGraph")],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
        .executableTarget(name: "Check", dependencies: ["Guide", "Shelf"]),
        // The listings of the articles in ManagedGraph.docc.
        .target(
            name: "Guide",
            dependencies: [.product(name: "CoreData", package: "ManagedGraph")],
            plugins: [.plugin(name: "GenerateManagedObjects", package: "ManagedGraph")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
