// Texts that can follow at a place of a predicate. Created by BrowsingSession.

/// The completions at a place.
public struct PredicateCompletion: Codable, Sendable {
    /// The sort of a completion.
    public enum Kind: String, Codable, Sendable {
        /// A property, or a key path.
        case key
        /// An operator or a connective.
        case `operator`
        /// A function, or a word that begins a predicate.
        case function
        /// A constant, or a value that the store contains.
        case value
    }

    /// A completion.
    public struct Item: Codable, Sendable, Hashable {
        /// The text to insert.
        public var text: String
        /// The sort.
        public var kind: Kind
        /// The type or meaning.
        public var detail: String
    }

    /// The number of characters before the text that a completion replaces.
    public var place: Int
    /// The number of characters that a completion replaces.
    public var length: Int
    /// The completions, the likeliest first.
    public var items: [Item]
}
