// The consequences of an entity's definition. Created by ModelSession.

/// The version hash, the generated class and the tables of an entity.
public struct EntityAnalysis: Sendable, Hashable, Codable {
    /// The entity.
    public var entity: String
    /// The version hash, in hexadecimal digits.
    public var hash: String
    /// The version hash in the saved file; nil for a new entity.
    public var savedHash: String?
    /// The files of the generated class.
    public var files: [GeneratedFile]
    /// The SQL statements that create the entity's tables and indexes.
    public var statements: [String]
    /// The reason why there are no files and statements; nil if there are.
    public var unavailable: String?
}
