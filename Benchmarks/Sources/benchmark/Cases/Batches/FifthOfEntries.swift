// The case of a request that changes a fifth of the rows. Used by batch-update and batch-delete.
import GRDB
import ManagedGraph

/// The entries of one priority.
enum FifthOfEntries {
    /// The condition of the C API's statement.
    static let condition = "priority = 3"
    /// The condition of GRDB's request.
    static var records: QueryInterfaceRequest<RowEntry> { RowEntry.filter(Column("priority") == 3) }
    /// The condition of ManagedGraph's request.
    static var predicate: NSPredicate { NSPredicate(format: "priority == 3") }

    /// A case that changes these rows without objects.
    ///
    /// - Parameters:
    ///   - name: The name of the case.
    ///   - goal: The goal of ManagedGraph.
    ///   - sql: The C API's statement.
    ///   - grdb: Runs GRDB's request.
    ///   - request: ManagedGraph's request.
    /// - Returns: The case.
    static func makeCase(
        _ name: String,
        goal: Double,
        sql: String,
        grdb: @escaping (Database) throws -> Int,
        request: @escaping () -> NSPersistentStoreRequest
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [200_000],
            measure: .time { $0 / 5 },
            entrants: .subjects { setting in
                let database = try setting.c(setting.copy(setting.plain(.entries)), .entries)
                return {
                    try database.execute(sql)
                    return Outcome { try database.checksum(EntryChecksum.plain) }
                }
            } grdb: { setting in
                let file = try setting.copy(setting.plain(.entries))
                let queue = try setting.grdb(file, .entries)
                return {
                    _ = try queue.write(grdb)
                    return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
                }
            } managed: { setting in
                let store = try setting.store(setting.copy(setting.managed(.entries)))
                return {
                    let context = store.context()
                    _ = try context.performAndWait { try context.execute(request()) }
                    return Outcome { try store.checksum(EntryChecksum.managed) }
                }
            }
        )
    }
}
