// A fetch that a person composes in the console. Sent by a page, and saved with queries; read by BrowsingSession.

/// A fetch of objects, of columns, or of groups.
public struct ConsoleRequest: Codable, Sendable, Hashable {
    /// A function over the rows of a group.
    public struct Aggregate: Codable, Sendable, Hashable {
        /// The function: `count`, `sum`, `average`, `min`, `max`, `median`, `mode` or `stddev`.
        public var function: String
        /// The key path; nil to count rows.
        public var key: String?

        /// Creates an aggregate.
        public init(_ function: String, of key: String? = nil) {
            (self.function, self.key) = (function, key)
        }

        /// The name of its column.
        public var name: String {
            guard let key, !key.isEmpty else { return function }
            return "\(function)_\(key.split(separator: ".").joined(separator: "_"))"
        }
    }

    /// The entity.
    public var entity: String
    /// A predicate's format.
    public var predicate: String?
    /// Key paths, or the names of aggregates; a leading hyphen means descending.
    public var sort: [String]?
    /// Key paths; empty for objects.
    public var columns: [String]?
    /// Key paths whose values form groups.
    public var groupBy: [String]?
    /// The functions over groups, or over all rows if there are no groups.
    public var aggregates: [Aggregate]?
    /// A condition on groups, by the names of columns.
    public var having: String?
    /// Whether equal results are left out.
    public var isDistinct: Bool?
    /// The greatest number of results; nil for 500.
    public var limit: Int?
    /// The number of results that are left out at the beginning.
    public var offset: Int?

    /// Creates a fetch.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - predicate: A predicate's format.
    ///   - groupBy: Key paths whose values form groups.
    ///   - aggregates: The functions over groups.
    public init(
        entity: String,
        predicate: String? = nil,
        groupBy: [String]? = nil,
        aggregates: [Aggregate]? = nil
    ) {
        (self.entity, self.predicate, self.groupBy, self.aggregates) = (entity, predicate, groupBy, aggregates)
    }
}
