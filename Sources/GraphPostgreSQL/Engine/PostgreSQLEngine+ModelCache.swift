// The model that a store contains, for programs that open it without their own.
import Foundation
import GraphEngine
import GraphSQL

extension PostgreSQLEngine {
    /// The archived model of the store at an address; nil if there is no store, or no model in it.
    package static func modelCache(at address: DatabaseAddress) throws -> Data? {
        try EngineError.mappingPostgreSQL {
            let connection = try PostgreSQLConnection(address)
            defer { connection.close() }
            let dialect = PostgreSQLDialect(schema: address.schema)
            guard try readStore(connection, dialect) != nil else { return nil }
            return try connection.execute("SELECT model FROM \(OwnTables(dialect).store)").data(0, 0)
        }
    }
}
