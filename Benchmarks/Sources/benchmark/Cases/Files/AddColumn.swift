// add-column and add-default: adds an optional column, or one with a default value, to the rows of a closed file. The
// work includes opening and closing it.
import Foundation
import GRDB
import ManagedGraph

enum AddColumn {
    static var cases: [BenchmarkCase] { [makeCase("add-column", default: nil), makeCase("add-default", default: 7)] }

    private static func makeCase(_ name: String, default fallback: Int?) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(2)],
            sizes: [200_000],
            entrants: [
                Entrant(SubjectName.cAPI) { setting in
                    let file = try setting.copy(setting.plain(.entries))
                    return {
                        let ending = fallback.map { " NOT NULL DEFAULT \($0)" } ?? ""
                        try CDatabase(file).execute("ALTER TABLE entry ADD COLUMN rank INTEGER" + ending)
                        return check(file, "entry", "rank")
                    }
                },
                Entrant(SubjectName.grdbRow) { setting in
                    let file = try setting.copy(setting.plain(.entries))
                    return {
                        try migrateGRDB(file, default: fallback)
                        return check(file, "entry", "rank")
                    }
                },
                Entrant(SubjectName.managedGraph) { setting in
                    let file = try setting.copy(setting.managed(.entries))
                    return {
                        try migrateManaged(file, default: fallback)
                        return check(file, "ZENTRY", "ZRANK")
                    }
                },
            ]
        )
    }

    private static func check(_ file: URL, _ table: String, _ column: String) -> Outcome {
        Outcome { try CDatabase(file).checksum("SELECT count(*), total(\(column)) FROM \(table)") }
    }

    /// Migrates with GRDB's migrator, as in its documentation.
    private static func migrateGRDB(_ file: URL, default fallback: Int?) throws {
        let queue = try GRDBFile.open(file, .entries) { try DatabaseQueue(path: $0) }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("rank") { database in
            try database.alter(table: "entry") { table in
                let column = table.add(column: "rank", .integer)
                if let fallback { column.notNull().defaults(to: fallback) }
            }
        }
        try migrator.migrate(queue)
        try queue.close()
    }

    /// Migrates to a model version with one more attribute (lightweight migration).
    private static func migrateManaged(_ file: URL, default fallback: Int?) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try version(default: fallback))
        let store = try coordinator.addPersistentStore(
            type: .sqlite,
            at: file,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                NSSQLitePragmasOption: ["journal_mode": "WAL", "synchronous": "FULL"],
            ]
        )
        try coordinator.remove(store)
    }

    private static func version(default fallback: Int?) throws -> NSManagedObjectModel {
        let current = NSPersistentContainer(name: ManagedStore.modelName).managedObjectModel
        guard let model = current.copy() as? NSManagedObjectModel, let entity = model.entitiesByName["Entry"] else {
            throw BenchmarkError("The model has no entity Entry.")
        }
        let attribute = NSAttributeDescription()
        attribute.name = "rank"
        attribute.attributeType = .integer64AttributeType
        attribute.isOptional = fallback == nil
        attribute.defaultValue = fallback
        entity.properties += [attribute]
        return model
    }
}
