// Values that only Apple's Foundation converts to its classes: array literals to sets, and classes of file protection
// to objects. They are rewritten.
import SwiftSyntax

enum BridgingRule: PortingRule {
    static let name = "bridging"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        private static let sets: Set<String> = ["NSSet", "NSMutableSet"]

        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements)
            for place in elements.indices.dropFirst().dropLast() where !file.isLeftOut(elements[place]) {
                let (value, mark, next) = (elements[place - 1], elements[place], elements[place + 1])
                if let cast = mark.as(UnresolvedAsExprSyntax.self), cast.questionOrExclamationMark == nil,
                    let type = next.as(TypeExprSyntax.self)?.type
                {
                    convert(value, to: Self.unwrapped(type), end: next)
                } else if mark.is(AssignmentExprSyntax.self), next.is(ArrayExprSyntax.self),
                    place + 2 == elements.count, let type = setType(of: value)
                {
                    make(type, of: next, end: next)
                } else if mark.as(BinaryOperatorExprSyntax.self)?.operator.text == "??", next.is(ArrayExprSyntax.self),
                    let type = setType(of: value)
                {
                    make(type, of: next, end: next)
                }
            }
            return .visitChildren
        }

        /// The argument of `addToCars` and `removeFromCars`.
        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let called = node.calledExpression
            let name =
                called.as(MemberAccessExprSyntax.self)?.declName.baseName
                ?? called.as(DeclReferenceExprSyntax.self)?.baseName
            if let name, let argument = node.arguments.first, node.arguments.count == 1, argument.label == nil,
                node.trailingClosure == nil, argument.expression.is(ArrayExprSyntax.self),
                !file.isLeftOut(argument.expression), takesSet(name.text)
            {
                make("NSSet", of: argument.expression, end: argument.expression)
            }
            return .visitChildren
        }

        /// Whether a method adds the objects of a set or removes them, and none with its name takes other collections.
        private func takesSet(_ method: String) -> Bool {
            guard let prefix = ["addTo", "removeFrom"].first(where: { method.hasPrefix($0) }) else { return false }
            let types = (index.members[method + "(_:)"] ?? []).flatMap(\.parameters)
            guard !types.isEmpty else { return index.generatedSets.contains(String(method.dropFirst(prefix.count))) }
            return types.contains("NSSet") && types.allSatisfy { $0 == "NSSet" || index.isManaged($0) }
        }

        private func convert(_ value: ExprSyntax, to type: String, end: ExprSyntax) {
            if value.is(ArrayExprSyntax.self), Self.sets.contains(type) {
                make(type, of: value, end: end)
            } else if let access = value.as(MemberAccessExprSyntax.self), ["NSObject", "NSString"].contains(type),
                access.base?.trimmedDescription == "FileProtectionType", access.declName.baseName.text != "rawValue"
            {
                file.report(
                    BridgingRule.name,
                    at: value,
                    "FileProtectionType is converted to an object by Apple's Foundation alone",
                    "Its raw value is passed, the same text.",
                    edits: [TextEdit(at: value.endPositionBeforeTrailingTrivia.utf8Offset, ".rawValue")]
                )
            }
        }

        /// Replaces an array literal, and the conversion after it, by the initializer of a set.
        private func make(_ type: String, of literal: ExprSyntax, end: ExprSyntax) {
            let rest =
                literal.endPositionBeforeTrailingTrivia.utf8Offset..<end.endPositionBeforeTrailingTrivia.utf8Offset
            file.report(
                BridgingRule.name,
                at: literal,
                "an array literal cannot be a value of \(type) off Apple",
                "The set is made of the array.",
                edits: [
                    TextEdit(at: literal.positionAfterSkippingLeadingTrivia.utf8Offset, "\(type)(array: "),
                    TextEdit(rest, ")"),
                ]
            )
        }

        /// The set class with which all members of the accessed name are declared; nil if one has another type.
        private func setType(of target: ExprSyntax) -> String? {
            guard let access = target.as(MemberAccessExprSyntax.self) else { return nil }
            let name = access.declName.baseName.text
            let types = (index.members[name] ?? []).map { member in
                let bindings = member.node.as(VariableDeclSyntax.self)?.bindings
                let binding = bindings?.first { $0.pattern.trimmedDescription == name }
                return (binding?.typeAnnotation?.type).map(Self.unwrapped) ?? ""
            }
            guard let type = types.first, Self.sets.contains(type), types.allSatisfy({ $0 == type }) else { return nil }
            return type
        }

        private static func unwrapped(_ type: TypeSyntax) -> String {
            let text = type.trimmedDescription
            return text.hasSuffix("?") || text.hasSuffix("!") ? String(text.dropLast()) : text
        }
    }
}
