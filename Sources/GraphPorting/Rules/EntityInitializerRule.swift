// `NSManagedObject(entity:insertInto:) as! Person`: on Apple's platforms the object is of the entity's class, on others of
// the class that is written, so that the cast fails.
import SwiftSyntax

enum EntityInitializerRule: PortingRule {
    static let name = "entity-init"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements)
            for place in elements.indices.dropFirst().dropLast() {
                guard let cast = elements[place].as(UnresolvedAsExprSyntax.self),
                    let mark = cast.questionOrExclamationMark,
                    let type = elements[place + 1].as(TypeExprSyntax.self)?.type, !file.isLeftOut(cast),
                    let callee = Self.callee(of: elements[place - 1])
                else { continue }
                report(elements[place - 1], callee, type, isForced: mark.text == "!")
            }
            return .visitChildren
        }

        private func report(_ call: ExprSyntax, _ callee: ExprSyntax, _ type: TypeSyntax, isForced: Bool) {
            let name = type.trimmedDescription
            if name == "NSManagedObject" { return }
            let message = "NSManagedObject(entity:insertInto:) makes no \(name) off Apple, and the cast fails"
            // A generic parameter may stand for a protocol, which has no initializer.
            guard isForced, index.isManaged(name) else {
                file.report(
                    EntityInitializerRule.name,
                    at: call,
                    message,
                    "Write the class of the entity's objects before the arguments, or call "
                        + "NSEntityDescription.insertNewObject(forEntityName:into:)."
                )
                return
            }
            let start = callee.positionAfterSkippingLeadingTrivia.utf8Offset
            file.report(
                EntityInitializerRule.name,
                at: call,
                message,
                "The class's own initializer is called.",
                edits: [
                    TextEdit(start..<callee.endPositionBeforeTrailingTrivia.utf8Offset, name),
                    TextEdit(
                        call.endPositionBeforeTrailingTrivia
                            .utf8Offset..<type.endPositionBeforeTrailingTrivia.utf8Offset,
                        ""
                    ),
                ]
            )
        }

        /// The name that is called if an expression is `NSManagedObject(entity:insertInto:)`.
        private static func callee(of expression: ExprSyntax) -> ExprSyntax? {
            guard let call = expression.as(FunctionCallExprSyntax.self),
                ["NSManagedObject", "NSManagedObject.init"].contains(call.calledExpression.trimmedDescription),
                call.arguments.map({ $0.label?.text }) == ["entity", "insertInto"]
            else { return nil }
            return call.calledExpression
        }
    }
}
