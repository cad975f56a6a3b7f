// An object with unsaved changes. Created by StagedEdits.

/// A staged change of one object.
public struct StagedChange: Codable, Sendable {
    /// A changed value.
    public struct Value: Codable, Sendable {
        /// The name of the property.
        public var property: String
        /// The value in the store when it was read; nil for a new object.
        public var before: BrowserCell?
        /// The value that will be saved.
        public var after: BrowserCell
        /// The numbers of objects added to and removed from a to-many relationship.
        public var added: Int?
        /// The number of removed objects.
        public var removed: Int?
    }

    /// The object.
    public var link: ObjectLink
    /// Whether it is new, changed or to be deleted.
    public var state: BrowsedRow.State
    /// The changed values; those of a new object that are not missing.
    public var values: [Value]
}
