// Statements that can be written twice, once for Apple's platforms and once for others. Used by rules whose change the
// compiler accepts on one side only.
import SwiftSyntax

enum RepeatableStatement {
    /// The statement that a call is, or whose value it returns, if it can be written twice.
    ///
    /// - Parameters:
    ///   - node: The call, or a part of it.
    ///   - file: The file.
    ///   - declarations: Whether the statement may declare a variable.
    /// - Returns: The statement, if it is alone on its lines and no code in it can be changed by other rules.
    static func around(_ node: Syntax, in file: PortingFile, declarations: Bool = false) -> Syntax? {
        if let statement = LoneStatement.around(node, inside: Syntax(file.tree), in: file) {
            return ClosureSearch.finds(in: statement) ? nil : statement
        }
        var parent = node.parent
        while let current = parent, !current.is(CodeBlockItemSyntax.self) {
            if current.is(ReturnStmtSyntax.self) || declarations && isLocal(current) {
                let start = current.positionAfterSkippingLeadingTrivia.utf8Offset
                let end = current.endPositionBeforeTrailingTrivia.utf8Offset
                guard file.beginsLine(start), file.endsLine(end), !ClosureSearch.finds(in: current) else { return nil }
                return current
            }
            parent = current.parent
        }
        return nil
    }

    private static func isLocal(_ node: Syntax) -> Bool {
        node.is(VariableDeclSyntax.self) && node.parent?.is(CodeBlockItemSyntax.self) == true
    }

    /// Searches for closures.
    private final class ClosureSearch: SyntaxVisitor {
        private var isFound = false

        static func finds(in node: Syntax) -> Bool {
            let search = ClosureSearch(viewMode: .sourceAccurate)
            search.walk(node)
            return search.isFound
        }

        override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
            isFound = true
            return .skipChildren
        }
    }
}
