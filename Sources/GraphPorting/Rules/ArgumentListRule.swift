// `NSPredicate(format:arguments:)` with the argument list of a C function: on other platforms the values are passed as an
// array, which all platforms read.
import SwiftSyntax

enum ArgumentListRule: PortingRule {
    static let name = "argument-list"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let callee = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
                callee == "NSPredicate" || callee == "NSExpression",
                node.arguments.map({ $0.label?.text }) == ["format", "arguments"], let list = node.arguments.last,
                !file.isLeftOut(node)
            else { return .visitChildren }
            let edits = edits(list)
            file.report(
                ArgumentListRule.name,
                at: list,
                "\(callee) reads no argument list of C off Apple",
                edits == nil ? "Pass the values as an array to argumentArray." : "The values are passed as an array.",
                edits: edits ?? []
            )
            return .visitChildren
        }

        /// The changes that pass an array; nil if the array is not visible.
        private func edits(_ list: LabeledExprSyntax) -> [TextEdit]? {
            if let values = Self.values(of: list.expression, from: "getVaList") { return [replacing(list, values)] }
            guard let name = list.expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
                let (closure, call) = Self.closure(around: list),
                let values = Self.values(of: ExprSyntax(call), from: "withVaList")
            else { return nil }
            let parameter = Self.parameter(of: closure)
            guard name == parameter ?? "$0" else { return nil }
            if let item = closure.statements.first, closure.statements.count == 1 {
                // The closure's only statement takes the place of the call.
                let body = item.item.as(ReturnStmtSyntax.self)?.expression.map { Syntax($0) } ?? Syntax(item.item)
                let (outer, inner) = (Self.range(call), Self.range(body))
                return [
                    TextEdit(outer.lowerBound..<inner.lowerBound, ""), replacing(list, values),
                    TextEdit(inner.upperBound..<outer.upperBound, ""),
                ]
            }
            // The closure must keep a parameter.
            return parameter == nil ? nil : [replacing(list, values)]
        }

        private func replacing(_ list: LabeledExprSyntax, _ values: String) -> TextEdit {
            TextEdit(Self.range(list), "argumentArray: \(values)")
        }

        private static func range(_ node: some SyntaxProtocol) -> Range<Int> {
            node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
        }

        /// The text of the argument in `function(argument)`.
        private static func values(of node: ExprSyntax, from function: String) -> String? {
            guard let call = node.as(FunctionCallExprSyntax.self), call.arguments.first?.label == nil,
                call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == function
            else { return nil }
            return call.arguments.first?.expression.trimmedDescription
        }

        /// The innermost closure around a node, and the call that it is passed to.
        private static func closure(
            around node: some SyntaxProtocol
        ) -> (ClosureExprSyntax, FunctionCallExprSyntax)? {
            var parent = node.parent
            while let current = parent, !current.is(ClosureExprSyntax.self) { parent = current.parent }
            guard let closure = parent?.as(ClosureExprSyntax.self),
                let call = closure.parent?.as(FunctionCallExprSyntax.self)
            else { return nil }
            return (closure, call)
        }

        /// The name of a closure's only parameter.
        private static func parameter(of closure: ClosureExprSyntax) -> String? {
            switch closure.signature?.parameterClause {
            case .simpleInput(let names): names.first?.name.text
            case .parameterClause(let clause): clause.parameters.first?.firstName.text
            case nil: nil
            }
        }
    }
}
