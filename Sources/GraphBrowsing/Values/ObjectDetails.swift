// One object as a whole. Created by BrowsingSession.

/// An object with all of its values.
public struct ObjectDetails: Codable, Sendable {
    /// A property and its value.
    public struct Field: Codable, Sendable {
        /// The property.
        public var property: PropertySummary
        /// The value; texts are complete.
        public var cell: BrowserCell
        /// Whether it has a staged change.
        public var isChanged: Bool
    }

    /// A relationship of another entity that leads to the object, and that the object's own relationships do not cover.
    public struct Referrer: Codable, Sendable {
        /// The entity that has the relationship.
        public var entity: String
        /// The name of the relationship.
        public var relationship: String
        /// The number of objects that refer to this one.
        public var count: Int
    }

    /// The object.
    public var link: ObjectLink
    /// The staged change; nil if there is none.
    public var state: BrowsedRow.State?
    /// The values.
    public var fields: [Field]
    /// The objects that refer to it through relationships without an inverse.
    public var referrers: [Referrer]
    /// The object's URI.
    public var uri: String
}
