// The properties of a constant that a translation may use: everything but its value. Two fetches whose constants have
// equal shapes have the same SQL text, so nothing else may influence the text.

/// The form of a constant.
enum ConstantShape: Hashable, Sendable {
    case null
    case plain(PlainShape)
    /// An object of the tree in this table; nil if the object belongs to no table of the store.
    case object(table: Int?)
    case entity
    /// A collection: the forms of its elements, how many places it takes, and whether nil is among them.
    case list(Set<ConstantShape>, places: ListPlaces, hasNull: Bool)
    case other(String)
    /// A value that no row has.
    case unstored(UnstoredValue)

    /// A letter or two for the cache's key.
    var tag: String {
        switch self {
        case .null: "0"
        case .plain(let shape): shape.rawValue
        case .object(let table): "o\(table ?? -1)"
        case .entity: "e"
        case .list(let shapes, let places, let hasNull):
            "[\(shapes.map(\.tag).sorted().joined(separator: ","))|\(places.tag)\(hasNull ? "n" : "")]"
        case .other(let type): "?\(type)"
        case .unstored(let value): "~\(value.rawValue)"
        }
    }
}
