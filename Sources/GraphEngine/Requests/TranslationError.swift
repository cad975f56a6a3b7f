// The reason that a fetch has no SQL form. Thrown by FetchTranslator; the store turns it into an NSError or filters in
// memory.

/// A predicate, sort or expression that has no SQL form.
package struct TranslationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of obstacle.
    package enum Kind: Hashable, Sendable {
        /// The entity has no such property.
        case unknownKey
        /// Two values that have no order or equality between them.
        case incomparable
        /// Must be evaluated with objects: filter in memory.
        case needsMemory
        /// Cannot be evaluated in SQL or in memory.
        case unsupported
    }

    package var kind: Kind
    package var entity: String
    /// The affected part of the predicate, as text.
    package var expression: String
    package var reason: String
    package var remedy: String?

    package init(kind: Kind, entity: String, expression: String, reason: String, remedy: String? = nil) {
        self.kind = kind
        self.entity = entity
        self.expression = expression
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String {
        let text = "\"\(expression)\" cannot be fetched for entity \(entity): \(sentence(reason))"
        guard let remedy else { return text }
        return text + " \(sentence(remedy))"
    }

    private func sentence(_ text: String) -> String {
        text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
