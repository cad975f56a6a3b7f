// The kind of an SQL expression's value in the language of predicates. Decides how constants are bound beside it and
// its possible comparisons.
import GraphModel

/// The types that comparisons distinguish; numbers and Booleans are comparable with each other.
package enum ValueKind: Hashable, Sendable {
    case integer
    case real
    case decimal
    case boolean
    case date
    case text
    case url
    case uuid
    case data
    case transformable
    /// The key of a row of a table, of this entity or one below.
    case object(table: Int, entity: String)
    /// An entity's number.
    case entity
    /// Of an attribute without a type, or NULL.
    case unknown

    init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16, .integer32, .integer64: .integer
            case .decimal: .decimal
            case .double, .float: .real
            case .string: .text
            case .boolean: .boolean
            case .date: .date
            case .binary: .data
            case .uuid: .uuid
            case .uri: .url
            case .transformable: .transformable
            case .undefined, .objectID, .composite: .unknown
            }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .real, .decimal, .boolean: true
        default: false
        }
    }

    /// Whether one such value can be less than another.
    var isOrdered: Bool {
        switch self {
        case .transformable, .object, .entity: false
        default: true
        }
    }

    /// The form in which constants are bound beside it; nil if none can be.
    var storage: StorageClass? {
        switch self {
        case .integer, .real, .decimal, .boolean: .number
        case .date: .date
        case .text, .url: .text
        case .uuid: .uuid
        case .data, .transformable: .data
        case .object(let table, _): .object(table: table)
        case .entity: .entity
        case .unknown: nil
        }
    }

    /// The attribute type whose columns hold such a value.
    var attributeType: AttributeType {
        switch self {
        case .integer: .integer64
        case .real: .double
        case .decimal: .decimal
        case .boolean: .boolean
        case .date: .date
        case .text: .string
        case .url: .uri
        case .uuid: .uuid
        case .data: .binary
        case .transformable: .transformable
        case .object: .objectID
        case .entity: .integer64
        case .unknown: .undefined
        }
    }

    /// How a person calls it.
    var name: String {
        switch self {
        case .integer, .real, .decimal: "a number"
        case .boolean: "a Boolean"
        case .date: "a date"
        case .text: "a string"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data: "data"
        case .transformable: "a transformable value"
        case .object(_, let entity): "an object of \(entity)"
        case .entity: "an entity"
        case .unknown: "a value of no known type"
        }
    }

    /// The kind of a value that is of one kind or of the other; nil if there is none.
    func merged(with other: ValueKind) -> ValueKind? {
        if self == other || other == .unknown { return self }
        if self == .unknown { return other }
        if isNumber, other.isNumber {
            if self == .decimal || other == .decimal { return .decimal }
            return self == .real || other == .real ? .real : .integer
        }
        if case .object(let table, let entity) = self, case .object(table, _) = other {
            return .object(table: table, entity: entity)
        }
        return nil
    }
}

extension ConstantShape {
    /// The kind that a constant has of itself; nil for nil, collections and values that no column holds.
    ///
    /// Nil also for a value that no row has: it is never bound.
    var kind: ValueKind? {
        switch self {
        case .plain(let shape): shape.kind
        case .object(let table): table.map { .object(table: $0, entity: "") }
        case .entity: .entity
        case .null, .list, .other, .unstored: nil
        }
    }
}

extension ValueKind {
    /// The form in which a constant of another kind is bound beside a value of this kind; nil if they are incomparable.
    func storage(for constant: ValueKind, in dialect: any SQLDialect) -> StorageClass? {
        let storage = storage(for: constant)
        return storage == .number && dialect.hasStaticTypes ? numberStorage(for: constant) : storage
    }

    /// The form in which a number is bound beside one of this kind, if numbers have several types.
    private func numberStorage(for constant: ValueKind) -> StorageClass {
        switch (self, constant) {
        case (.boolean, .boolean): .boolean
        case (.boolean, .integer), (.integer, .integer), (.integer, .boolean): .integer
        case (.real, _): .real
        default: .decimal
        }
    }

    private func storage(for constant: ValueKind) -> StorageClass? {
        switch self {
        // As with column affinity, a text is compared with numbers as the number it spells, and the reverse.
        case .integer, .real, .decimal, .boolean: constant.isNumber || constant == .text ? .number : nil
        case .date: constant == .date ? .date : nil
        case .text: constant == .text || constant.isNumber ? .text : nil
        case .url: constant == .url || constant == .text ? .text : nil
        // A text is compared with UUIDs as the one it spells.
        case .uuid: constant == .uuid || constant == .text ? .uuid : nil
        case .data: constant == .data ? .data : nil
        case .transformable: nil
        case .object(let table, _): if case .object = constant { .object(table: table) } else { nil }
        case .entity: constant == .entity || constant == .text ? .entity : nil
        case .unknown: constant.storage
        }
    }
}

extension ConstantShape {
    /// How a person calls it.
    var name: String {
        switch self {
        case .null: "nil"
        case .list: "a collection"
        case .other(let type): "a value of type \(type)"
        case .unstored(let value): value.kind.name
        default: kind?.name ?? "an object that is not in this store"
        }
    }
}
