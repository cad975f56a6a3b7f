// The common base of Apple's XML and binary stores: one file, read when the store is added and replaced atomically by
// each save; references are numbers. Beside `WholeFileStore`.
import Foundation
import GraphArchives
import GraphSQLite

/// The reason why a store file cannot be read.
struct DamagedStoreFile: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
