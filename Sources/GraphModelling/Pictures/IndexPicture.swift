// A fetch index as an editor shows it. Part of EntityPicture, and the value of an edit.

/// A fetch index.
public struct IndexPicture: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The columns, in order.
    public var elements: [IndexElementPicture]
    /// The format that selects the indexed rows.
    public var predicate: String?

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - elements: The columns, in order.
    ///   - predicate: The format that selects the indexed rows.
    public init(
        name: String,
        elements: [IndexElementPicture],
        predicate: String? = nil
    ) {
        self.name = name
        self.elements = elements
        self.predicate = predicate
    }
}
