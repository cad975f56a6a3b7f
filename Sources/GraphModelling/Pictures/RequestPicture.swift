// A stored fetch request as an editor shows it. Part of ModelPicture and PropertyPicture.

/// A stored fetch request.
public struct RequestPicture: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The fetched entity.
    public var entity: String
    /// The predicate's format.
    public var predicate: String?
    /// The highest number of results; 0 for no limit.
    public var fetchLimit: Int
    /// The number of objects that are read at a time; 0 for all.
    public var batchSize: Int
    /// `Objects`, `Object IDs`, `Count` or `Dictionaries`.
    public var resultType: String
    /// Whether objects of subentities are fetched.
    public var includesSubentities: Bool
    /// Whether values are read with the objects.
    public var includesPropertyValues: Bool
    /// Whether objects are returned as faults.
    public var returnsFaults: Bool
    /// Whether equal dictionaries are returned once.
    public var returnsDistinct: Bool
    /// Whether unsaved changes count.
    public var includesPending: Bool
}
