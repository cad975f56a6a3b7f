// Calls of the methods of a results controller's delegate with a question mark, because they are optional on Apple's
// platforms. On other platforms every delegate has them, and those it does not implement do nothing.
import SwiftSyntax

enum OptionalCallRule: PortingRule {
    static let name = "optional-call"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    /// The methods, with the labels of their arguments.
    private static let methods: [String: Set<[String]>] = [
        "controllerWillChangeContent": [[""]],
        "controllerDidChangeContent": [[""]],
        "controller": [
            ["", "didChange", "at", "for", "newIndexPath"], ["", "didChange", "atSectionIndex", "for"],
            ["", "didChangeContentWith"], ["", "sectionIndexTitleForSectionName"],
        ],
    ]

    private final class Reader: RuleReader {
        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let callee = node.calledExpression.as(OptionalChainingExprSyntax.self),
                let method = callee.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
                methods[method]?.contains(node.arguments.map { $0.label?.text ?? "" }) == true,
                // A property of this name holds a closure, which may be nil everywhere.
                index.members[method]?.contains(where: { $0.node.is(VariableDeclSyntax.self) }) != true,
                !file.isLeftOut(node)
            else { return .visitChildren }
            let message = "\(method) is not optional off Apple"
            guard let statement = RepeatableStatement.around(Syntax(node), in: file) else {
                file.report(
                    name,
                    at: node,
                    message,
                    "Write the call without the question mark before its arguments in an #else part of "
                        + "#if canImport(ObjectiveC)."
                )
                return .visitChildren
            }
            let start = statement.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = statement.endPositionBeforeTrailingTrivia.utf8Offset
            let mark = callee.questionMark.positionAfterSkippingLeadingTrivia.utf8Offset
            file.report(
                name,
                at: node,
                message,
                "Other platforms get the call without the question mark before its arguments.",
                edits: file.wrap(
                    start..<end,
                    in: "canImport(ObjectiveC)",
                    otherwise: file.text(start..<mark) + file.text(mark + 1..<end)
                )
            )
            return .visitChildren
        }
    }
}
