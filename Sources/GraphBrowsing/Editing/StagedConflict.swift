// An object that another writer has saved since this reader began to change it. Created by StagedEdits.

/// A conflict with another writer.
public struct StagedConflict: Codable, Sendable {
    /// A value that the reader or the other writer changed.
    public struct Value: Codable, Sendable {
        /// The name of the property.
        public var property: String
        /// The value when the reader began.
        public var base: BrowserCell
        /// The reader's value.
        public var mine: BrowserCell
        /// The value in the store.
        public var theirs: BrowserCell
        /// Whether both changed it, and differently: the reader has to choose.
        public var isContested: Bool
    }

    /// The object.
    public var link: ObjectLink
    /// Whether the other writer deleted it.
    public var isDeletedElsewhere: Bool
    /// Whether the reader deletes it.
    public var isDeletedHere: Bool
    /// The values.
    public var values: [Value]
}
