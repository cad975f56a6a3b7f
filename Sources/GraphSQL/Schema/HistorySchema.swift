// The tables of the persistent history, in Apple's layout. Made by the store where history is tracked.
//
// | table | columns after Z_PK, Z_ENT, Z_OPT |
// | --- | --- |
// | ATRANSACTION | who, by keys into the string table; when; formerly who as text |
// | ACHANGE | kind (0 insert, 1 update, 2 delete), entity number, key, transaction, changed columns, values of the deleted |
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

    /// What makes the tables where they are not there yet; each statement may be run again.
    package static let statements = [
        "CREATE TABLE IF NOT EXISTS ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
        "CREATE TABLE IF NOT EXISTS ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, "
            + "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
        "CREATE TABLE IF NOT EXISTS ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZNAME VARCHAR )",
        "CREATE INDEX IF NOT EXISTS ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
        "CREATE INDEX IF NOT EXISTS ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        "CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION "
            + "(ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX IF NOT EXISTS Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING "
            + "(ZNAME COLLATE BINARY ASC)",
        "INSERT OR IGNORE INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(16001, 'CHANGE', 0, 0)",
        "INSERT OR IGNORE INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(16002, 'TRANSACTION', 0, 0)",
        "INSERT OR IGNORE INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(16003, 'TRANSACTIONSTRING', 0, 0)",
    ]

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
