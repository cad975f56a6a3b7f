// `managedgraph migrate` with the address of a database: a migration at once, or two versions side by side.
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

    /// Migrates a store in a database.
    func migrateDatabase(_ url: URL, _ versions: MigrationVersions, _ output: Output) throws {
        if plan || dryRun || backup != nil {
            let option = plan ? "--plan" : dryRun ? "--dry-run" : "--backup"
            throw CommandFailure(
                store,
                CoreDataError.cannotOpen(
                    url,
                    reason: "\(option) is for stores in files",
                    remedy:
                        "Copy the database's store into a file (managedgraph store copy) and try the migration there; "
                        + "back a database up with pg_dump."
                )
            )
        }
        let (name, migration) = try CommandFailure.naming(store) {
            let migration = try DatabaseMigration(url, to: versions)
            let name = try migration.source()
            if let step {
                try Self.run(step, url, migration.model)
            } else if try !migration.isDone() {
                try migration.run()
            }
            return (name, migration)
        }
        let destination = versions.destination.name
        let isMigrated = step == nil ? name != destination : try migration.isDone()
        if json {
            try output.line(
                .object([
                    ("store", .string(StoreLocation.shown(url))), ("from", .string(name)), ("to", .string(destination)),
                    ("step", .string(step?.rawValue)), ("migrated", .boolean(isMigrated)),
                ])
            )
        } else {
            try output.line(Self.text(step, StoreLocation.shown(url), from: name ?? "its own version", to: destination))
        }
    }

    private static func text(_ step: Step?, _ store: String, from name: String, to destination: String) -> String {
        switch step {
        case nil where name == destination: "\(store) has the version \(destination) already"
        case nil: "migrated \(store) from \(name) to \(destination)"
        case .expand: "\(destination) is beside \(name): open \(store) with versions=views"
        case .contract: "\(store) has the version \(destination) alone"
        case .abandon: "\(destination) is removed; \(store) is as before"
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
