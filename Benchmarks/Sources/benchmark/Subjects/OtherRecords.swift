// GRDB's handwritten records of the other tables.
import GRDB

/// A record of the item table.
struct ItemRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"

    var id: Int64?
    var key: Int64
    var text: String
    var amount: Double

    init(_ row: ItemRow) {
        key = row.key
        text = row.text
        amount = row.amount
    }

    init(row: Row) {
        id = row[0]
        key = row[1]
        text = row[2]
        amount = row[3]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["key"] = key
        container["text"] = text
        container["amount"] = amount
    }
}
