// The place of an entity's card in the diagram, in the units of Xcode's editor.

/// The position and size of an entity in the diagram of a model file.
public struct CardPosition: Sendable, Hashable, Codable {
    /// The entity's name.
    public var entity: String
    /// The distance from the left.
    public var x: Double
    /// The distance from the top.
    public var y: Double
    /// The width; nil to keep the one in the file.
    public var width: Double?
    /// The height; nil to keep the one in the file.
    public var height: Double?

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - x: The distance from the left.
    ///   - y: The distance from the top.
    ///   - width: The width; nil to keep the one in the file.
    ///   - height: The height; nil to keep the one in the file.
    public init(
        entity: String,
        x: Double,
        y: Double,
        width: Double? = nil,
        height: Double? = nil
    ) {
        self.entity = entity
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether the place is one that a diagram can have: a number, within a million units.
    var isInDiagram: Bool { abs(x) < 1e6 && abs(y) < 1e6 }
}
