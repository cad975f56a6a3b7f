// The result of a fetch in the console, with its SQL and plan. Created by BrowsingSession.

/// The result of a fetch, and its cost.
public struct ConsoleResult: Codable, Sendable {
    /// A column of the result.
    public struct Column: Codable, Sendable {
        /// The name.
        public var name: String
        /// Whether values are numbers.
        public var isNumber: Bool
    }

    /// A statement and its plan.
    public struct Plan: Codable, Sendable {
        /// The statement; nil if the fetch is evaluated with objects.
        public var sql: String?
        /// The bound values, as SQL literals.
        public var bindings: [String]
        /// The steps of the plan in words; substeps are indented.
        public var steps: [String]
        /// The names of the indexes that are used.
        public var indexes: [String]
        /// The number of rows of the result.
        public var rows: Int
        /// The rows visited in tables that are read from end to end.
        public var rowsScanned: Int
        /// Whether rows are sorted after they are found, as no index has the order.
        public var isSorted: Bool
        /// The time of the statement.
        public var seconds: Double
        /// Advice that would make the fetch faster; nil if there is none.
        public var advice: String?
    }

    /// The columns.
    public var columns: [Column]
    /// The results.
    public var rows: [[BrowserCell]]
    /// Whether there are more results than the limit.
    public var isLimited: Bool
    /// The statement and its plan.
    public var plan: Plan
    /// The time from the request to the values.
    public var seconds: Double
    /// The same fetch in Swift.
    public var swift: String
}
