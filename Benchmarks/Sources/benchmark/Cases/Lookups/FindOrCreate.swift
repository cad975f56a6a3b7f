// find-or-create: fetches by an indexed key without a match, then inserts; k times before one save.
import GRDB
import ManagedGraph

enum FindOrCreate {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "find-or-create",
                goals: [.microseconds(20)],
                sizes: [1000, 8000],
                scales: false,
                entrants: .subjects(c: c, grdb: grdb, managed: managed)
            )
        ]
    }

    private static let plain = "SELECT count(*), total(key) + total(length(text)) FROM item"
    private static let managedSum = "SELECT count(*), total(ZKEY) + total(length(ZTEXT)) FROM ZITEM"

    private static func c(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let database = try setting.c(setting.newFile(), .items)
        return {
            try database.transaction {
                let find = try database.prepare(CItem.select + " WHERE key = ?")
                let insert = try database.prepare(CItem.insert)
                for index in 0..<rows {
                    let row = ItemRow(index)
                    find.bind(1, row.key)
                    let isFound = try find.step()
                    find.reset()
                    if !isFound { try CItem(row).write(to: insert) }
                }
            }
            return Outcome { try database.checksum(plain) }
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let file = setting.newFile()
        let queue = try setting.grdb(file, .items)
        return {
            try queue.write { database in
                for index in 0..<rows {
                    let row = ItemRow(index)
                    guard try ItemRecord.filter(Column("key") == row.key).fetchOne(database) == nil else { continue }
                    try ItemRecord(row).insert(database)
                }
            }
            return Outcome { try CDatabase(file).checksum(plain) }
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let store = try setting.store(setting.newFile())
        return {
            let context = store.context()
            try context.performAndWait {
                for index in 0..<rows {
                    let row = ItemRow(index)
                    let request: NSFetchRequest<Item> = Item.fetchRequest()
                    request.fetchLimit = 1
                    request.predicate = NSPredicate(format: "key == %lld", row.key)
                    guard try context.fetch(request).isEmpty else { continue }
                    Item(context: context).set(row)
                }
                try context.save()
            }
            return Outcome { try store.checksum(managedSum) }
        }
    }
}
