// The error for the file of an XML or binary store that cannot be read.
import Foundation
import GraphArchives
import GraphSQLite

/// The reason why a store file cannot be read.
struct DamagedStoreFile: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
