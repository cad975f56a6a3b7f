// The name of an object with its title, as cells and lists show it. Values only.

/// A reference to an object, with the title to show.
public struct ObjectLink: Codable, Sendable, Hashable {
    /// The object's name: `Item/p12`, with the store's UUID before it if the coordinator has several stores.
    public var id: String
    /// The name of the object's entity.
    public var entity: String
    /// A text by which a person recognizes the object.
    public var title: String

    /// Creates a reference.
    public init(id: String, entity: String, title: String) {
        (self.id, self.entity, self.title) = (id, entity, title)
    }
}
