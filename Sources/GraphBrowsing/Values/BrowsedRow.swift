// A row of a grid. Created by BrowsingSession.

/// A row.
public struct BrowsedRow: Codable, Sendable, Hashable {
    /// The staged change of a row.
    public enum State: String, Codable, Sendable {
        /// The object is new.
        case inserted
        /// Values were changed.
        case updated
        /// The object will be deleted.
        case deleted
        /// The row was deleted by another writer since it was listed.
        case gone
    }

    /// The object's name.
    public var id: String
    /// The entity of the object, which may be a subentity of the requested one.
    public var entity: String
    /// The cells, in the order of the columns.
    public var cells: [BrowserCell]
    /// The staged change; nil if there is none.
    public var state: State?
    /// The places of the cells with staged changes.
    public var changed: [Int]?

    init(id: String, entity: String, cells: [BrowserCell], state: State? = nil, changed: [Int]? = nil) {
        (self.id, self.entity, self.cells, self.state, self.changed) = (id, entity, cells, state, changed)
    }
}
