// Turns the values that users put into predicates into constants. Called by ShapeBuilder for every constant. Whether it
// is a number, a text or a collection is decided by GraphPredicates, so that both evaluators read a constant alike.
import Foundation
import GraphPredicates

/// Reads constants with the store's knowledge of objects and entities.
struct ConstantReader {
    let resolvers: ConstantResolvers
    /// Whether the database stores texts with the character U+0000.
    let storesNullCharacters: Bool

    func read(_ value: Any?) -> Constant {
        read(EvaluatedValue(value))
    }

    private func read(_ value: EvaluatedValue) -> Constant {
        switch value {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return value.isNaN ? .unstored(.real) : .real(value)
        case .decimal(let value): return value.isNaN ? .unstored(.decimal) : .decimal(value)
        case .text(let value): return isStored(value) ? .text(value) : .unstored(.text)
        case .date(let value):
            let seconds = value.timeIntervalSinceReferenceDate
            return seconds.isNaN ? .unstored(.date) : .date(seconds)
        case .uuid(let value): return .uuid(value)
        case .data(let value): return .data(value)
        case .url(let value): return .url(value.absoluteString)
        case .collection(let elements): return list(elements.evaluatedElements())
        case .dictionary(let dictionary): return list(dictionary.evaluatedValues())
        case .readable(let value): return object(value)
        case .other(let value): return object(value)
        }
    }

    /// Whether a column can hold a text.
    private func isStored(_ text: String) -> Bool { storesNullCharacters || !text.utf8.contains(0) }

    private func list(_ elements: [EvaluatedValue]) -> Constant {
        var list = ConstantList(elements: [], hasNull: false)
        list.elements.reserveCapacity(elements.count)
        for element in elements {
            let constant = read(element)
            if case .null = constant { list.hasNull = true } else { list.elements.append(constant) }
        }
        return .list(list)
    }

    private func object(_ value: Any) -> Constant {
        if let reference = resolvers.object(value) { return .object(reference) }
        if let name = resolvers.entityName(value) { return .entity(name) }
        return .other(String(describing: type(of: value)))
    }
}
