// Reads a type from its syntax. Used by SourceReader and, for the text of aliases, by TypeResolver.
import SwiftParser
import SwiftSyntax

extension TypeExpression {
    /// Parses a type from source text.
    package init(text: String) {
        let source = Parser.parse(source: "let value: \(text)")
        let binding = source.statements.first?.item.as(VariableDeclSyntax.self)?.bindings.first
        if let type = binding?.typeAnnotation?.type {
            self.init(type)
        } else {
            self = .unsupported(text)
        }
    }

    init(_ syntax: TypeSyntax) {
        switch syntax.as(TypeSyntaxEnum.self) {
        case .identifierType(let type):
            self = .named([Component(type.name.plainText, Self.arguments(type.genericArgumentClause))])
        case .memberType(let type):
            self.init(member: type)
        case .optionalType(let type):
            self = .optional(TypeExpression(type.wrappedType))
        case .implicitlyUnwrappedOptionalType(let type):
            self = .optional(TypeExpression(type.wrappedType))
        case .arrayType(let type):
            self = .array(TypeExpression(type.element))
        case .dictionaryType(let type):
            self = .dictionary(key: TypeExpression(type.key), value: TypeExpression(type.value))
        case .someOrAnyType(let type) where type.someOrAnySpecifier.text == "any":
            self = .init(type.constraint)
        case .compositionType(let type):
            self = .composition(type.elements.map { TypeExpression($0.type) })
        case .attributedType(let type):
            self.init(type.baseType)
        case .metatypeType(let type):
            self = .metatype(TypeExpression(type.baseType))
        case .tupleType(let type):
            self.init(tuple: type)
        default:
            self = .unsupported(syntax.trimmedDescription)
        }
    }

    private init(member type: MemberTypeSyntax) {
        guard case .named(let base) = TypeExpression(type.baseType) else {
            self = .unsupported(type.trimmedDescription)
            return
        }
        self = .named(base + [Component(type.name.plainText, Self.arguments(type.genericArgumentClause))])
    }

    private init(tuple type: TupleTypeSyntax) {
        let elements = type.elements.map { Element(label: $0.firstName?.plainText, type: TypeExpression($0.type)) }
        // A single element without a label is a type in parentheses.
        if elements.count == 1, elements[0].label == nil {
            self = elements[0].type
        } else {
            self = .tuple(elements)
        }
    }

    private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeExpression] {
        guard let clause else { return [] }
        return clause.arguments.map { argument in
            switch argument.argument {
            case .type(let type): TypeExpression(type)
            default: .unsupported(argument.trimmedDescription)
            }
        }
    }
}

extension TokenSyntax {
    /// The name without backticks.
    var plainText: String {
        text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`") ? String(text.dropFirst().dropLast()) : text
    }
}
