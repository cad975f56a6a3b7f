// A value of a property in the form in which a grid shows it. Created by CellReader.

/// A displayed value.
public struct BrowserCell: Codable, Sendable, Hashable {
    /// The kind.
    public var kind: CellKind
    /// The value as text; nil for a missing value.
    public var text: String?
    /// Whether `text` is only the beginning of the value.
    public var isTruncated: Bool?
    /// The number of related objects, or of bytes.
    public var count: Int?
    /// The related object of a to-one relationship.
    public var object: ObjectLink?
    /// The format of binary data, such as `PNG`; the class of a transformable value.
    public var form: String?
    /// The media type of binary data that a browser can show.
    public var mediaType: String?

    /// Creates a cell.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - text: The value as text.
    ///   - count: The number of related objects, or of bytes.
    ///   - object: The related object.
    public init(_ kind: CellKind, text: String? = nil, count: Int? = nil, object: ObjectLink? = nil) {
        (self.kind, self.text, self.count, self.object) = (kind, text, count, object)
    }

    /// The cell of a missing value.
    public static let null = BrowserCell(.null)
}
