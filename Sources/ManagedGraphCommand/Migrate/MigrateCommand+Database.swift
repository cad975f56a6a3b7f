// `managedgraph migrate` with two versions side by side, which only stores in databases can have.
import ArgumentParser
import Foundation
import ManagedGraph
import ManagedGraphTools

#if canImport(ManagedGraphPostgreSQL)
    import ManagedGraphPostgreSQL
#endif

extension MigrateCommand {
    /// The steps of a migration without downtime.
    enum Step: String, CaseIterable, EnumerableFlag {
        case expand, contract, abandon

        static func help(for value: Step) -> ArgumentHelp? {
            switch value {
            case .expand: "Add the new version beside the old one (addresses of databases only)."
            case .contract: "Remove the old version after --expand."
            case .abandon: "Remove the new version after --expand."
            }
        }
    }

    /// Takes a step of a store in a database.
    func change(_ url: URL, by step: Step, _ versions: MigrationVersions, _ output: Output) throws {
        guard NSPersistentStoreCoordinator.databaseType(of: url) != nil else {
            throw ValidationError("--expand, --contract and --abandon are for the addresses of databases.")
        }
        let (name, isMigrated) = try CommandFailure.naming(store) {
            let name = try MigrationSource(url, versions: versions).version.name
            try Self.run(step, url, try NSManagedObjectModel(versions.destination.model))
            return (name, try MigrationSource(url, versions: versions).isUpToDate)
        }
        let (store, destination) = (StoreLocation.shown(url), versions.destination.name)
        if json {
            try output.line(
                .object([
                    ("store", .string(store)), ("from", .string(name)), ("to", .string(destination)),
                    ("step", .string(step.rawValue)), ("migrated", .boolean(isMigrated)),
                ])
            )
        } else {
            let summary =
                switch step {
                case .expand: "\(destination) is beside \(name): open \(store) with versions=views"
                case .contract: "\(store) has the version \(destination) alone"
                case .abandon: "\(destination) is removed; \(store) is as before"
                }
            try output.line(summary)
        }
    }

    private static func run(_ step: Step, _ url: URL, _ model: NSManagedObjectModel) throws {
        #if canImport(ManagedGraphPostgreSQL)
            let versions = PostgreSQLVersions(at: url, model: model)
            switch step {
            case .expand: try versions.expand()
            case .contract: try versions.contract()
            case .abandon: try versions.abandon()
            }
        #endif
    }
}
