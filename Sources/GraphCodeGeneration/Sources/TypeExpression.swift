// A type as spelled in source text, before name lookup. Created by TypeExpression+Syntax, resolved by TypeResolver.

/// The spelling of a type.
package indirect enum TypeExpression: Hashable, Sendable {
    /// `Set<Task>`, `Foundation.Date`: the components with their generic arguments.
    case named([Component])
    case optional(TypeExpression)
    case array(TypeExpression)
    case dictionary(key: TypeExpression, value: TypeExpression)
    case composition([TypeExpression])
    case tuple([Element])
    case metatype(TypeExpression)
    /// An unsupported form (function types, packs); the text is kept for messages.
    case unsupported(String)

    /// One name of a dotted path.
    package struct Component: Hashable, Sendable {
        package var name: String
        package var arguments: [TypeExpression]

        package init(_ name: String, _ arguments: [TypeExpression] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    /// An element of a tuple.
    package struct Element: Hashable, Sendable {
        package var label: String?
        package var type: TypeExpression
    }

    /// The names of a dotted path without arguments, or nil for another form.
    package var path: [String]? {
        guard case .named(let components) = self else { return nil }
        return components.map(\.name)
    }

    /// Whether neither the type nor a part of it has an unsupported form.
    var isSupported: Bool {
        switch self {
        case .named(let components): components.allSatisfy { $0.arguments.allSatisfy { $0.isSupported } }
        case .optional(let inner), .array(let inner), .metatype(let inner): inner.isSupported
        case .dictionary(let key, let value): key.isSupported && value.isSupported
        case .composition(let members): members.allSatisfy { $0.isSupported }
        case .tuple(let elements): elements.allSatisfy { $0.type.isSupported }
        case .unsupported: false
        }
    }

    /// The type without its optional marks.
    package var unwrapped: TypeExpression {
        if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
    }
}
