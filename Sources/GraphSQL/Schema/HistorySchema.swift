// The tables of the persistent history, in Apple's layout. Made by the store if history is tracked.
//
// | table | columns after Z_PK, Z_ENT, Z_OPT |
// | --- | --- |
// | ATRANSACTION | author, context and process by keys into the string table; date; formerly those as text |
// | ACHANGE | kind (0 insert, 1 update, 2 delete), entity number, key, transaction, changed columns, values of deleted |
// | ATRANSACTIONSTRING | each text once |

/// The tables of the persistent history.
package enum HistorySchema {
    /// The entities' numbers in Z_PRIMARYKEY.
    package static let changeNumber: Int64 = 16_001
    package static let transactionNumber: Int64 = 16_002
    package static let stringNumber: Int64 = 16_003

    /// The columns of a transaction that name its texts by keys.
    package static let stringColumns = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
    /// The columns of the texts themselves, in the same order; frameworks of 2017 have only these.
    package static let textColumns = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"]

    private static let tables: [(name: String, columns: [(String, ColumnUse)])] = [
        (
            "ACHANGE",
            [
                ("ZCHANGETYPE", .number), ("ZENTITY", .number), ("ZENTITYPK", .key), ("ZTRANSACTIONID", .key),
                ("ZCOLUMNS", .data),
            ]
        ),
        (
            "ATRANSACTION",
            stringColumns.map { ($0, .key) } + [("ZTIMESTAMP", .time)] + textColumns.map { ($0, .text) }
                + [("ZQUERYGEN", .data)]
        ),
        ("ATRANSACTIONSTRING", [("ZNAME", .text)]),
    ]

    /// The statements that create missing tables; each statement may be run again.
    package static func statements(in dialect: any SQLDialect) -> [String] {
        func index(_ name: String, _ table: String, _ columns: String, isUnique: Bool = false) -> String {
            "CREATE \(isUnique ? "UNIQUE INDEX" : "INDEX") IF NOT EXISTS \(dialect.identifier(name)) "
                + "ON \(dialect.identifier(table)) (\(columns))"
        }
        func keyIndex(_ table: String, _ column: String) -> String {
            index("\(table)_\(column)_INDEX", table, dialect.identifier(column))
        }
        func valueIndex(_ name: String, _ table: String, _ column: String, isUnique: Bool = false) -> String {
            index(name, table, dialect.indexed(column, isAscending: true), isUnique: isUnique)
        }
        func number(_ number: Int64, _ name: String) -> String {
            dialect.insertIfAbsent(
                into: "Z_PRIMARYKEY",
                columns: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"],
                values: [.integer(number), .text(name), .integer(0), .integer(0)]
            )
        }
        var statements = tables.map { table in
            let systemColumns = dialect.declarations([("Z_PK", .primaryKey), ("Z_ENT", .number), ("Z_OPT", .number)])
            let name = dialect.identifier(table.name)
            return "CREATE TABLE IF NOT EXISTS \(name) ( \(systemColumns), \(dialect.declarations(table.columns)) )"
        }
        statements.append(keyIndex("ACHANGE", "ZTRANSACTIONID"))
        statements += stringColumns.map { keyIndex("ATRANSACTION", $0) }
        statements += [
            valueIndex("Z_TRANSACTION_TransactionAuthorIndex", "ATRANSACTION", "ZAUTHOR"),
            valueIndex("Z_TRANSACTION_TransactionTimestampIndex", "ATRANSACTION", "ZTIMESTAMP"),
            valueIndex("Z_TRANSACTIONSTRING_UNIQUE_NAME", "ATRANSACTIONSTRING", "ZNAME", isUnique: true),
            number(changeNumber, "CHANGE"),
            number(transactionNumber, "TRANSACTION"),
            number(stringNumber, "TRANSACTIONSTRING"),
        ]
        return statements
    }

    /// The column of a preserved value of deleted rows.
    package static func tombstoneColumn(_ number: Int) -> String { "ZTOMBSTONE\(number)" }

    /// The changed columns as a row holds them: the bits of property numbers, the lowest in the first byte.
    package static func bits(_ numbers: some Sequence<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers {
            while bytes.count <= number / 8 { bytes.append(0) }
            bytes[number / 8] |= 1 << UInt8(number % 8)
        }
        return bytes
    }

    /// The property numbers of such bits.
    package static func numbers(_ bits: some Sequence<UInt8>) -> [Int] {
        bits.enumerated().flatMap { place, byte in
            (0..<8).filter { byte & (1 << UInt8($0)) != 0 }.map { place * 8 + $0 }
        }
    }
}
