// The values of a row for a uniqueness constraint, as keys of dictionaries.
import GraphEngine

/// The values of a uniqueness constraint; two are equal if the constraint forbids both.
struct UniqueValues: Hashable {
    private enum Value: Hashable {
        /// A text by its bytes: canonically equivalent texts are different values of a column.
        case text([UInt8])
        case key(Int64)
        case other(RowValue)
    }

    private let values: [Value]

    /// Nil if one of the values is null, because null never conflicts.
    init?(_ values: [RowValue]) {
        if values.contains(where: \.isNull) { return nil }
        self.values = values.map { value in
            switch value {
            case .string(let text): .text(Array(text.utf8))
            case .url(let url): .text(Array(url.absoluteString.utf8))
            case .key(let key): .key(key.primaryKey)
            default: .other(value)
            }
        }
    }
}
