// GRDB's handwritten record of people.
import GRDB

/// A record of the person table.
struct PersonRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "person"

    var id: Int64
    var name: String
    var group: String
    var number: Int64

    init(row: Row) {
        id = row[0]
        name = row[1]
        group = row[2]
        number = row[3]
    }
}
