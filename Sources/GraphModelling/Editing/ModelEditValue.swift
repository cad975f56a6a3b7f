// The value of a field in an edit, in its JSON form. Sent by pages that edit models.

/// A value to which an edit sets a field.
public enum ModelEditValue: Sendable, Hashable, Codable {
    case none
    case flag(Bool)
    case number(Double)
    case text(String)
    case texts([String])
    case lists([[String]])
    case entries([String: String])
    case indexes([IndexPicture])

    /// Reads a JSON value of any of the kinds.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for another kind of value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let texts = try? container.decode([String].self) {
            self = .texts(texts)
        } else if let lists = try? container.decode([[String]].self) {
            self = .lists(lists)
        } else if let entries = try? container.decode([String: String].self) {
            self = .entries(entries)
        } else {
            self = .indexes(try container.decode([IndexPicture].self))
        }
    }

    /// Writes the value as JSON.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .none: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .lists(let lists): try container.encode(lists)
        case .entries(let entries): try container.encode(entries)
        case .indexes(let indexes): try container.encode(indexes)
        }
    }
}
