// Statements that can be left out by themselves: calls and assignments whose value nobody takes. Asked by AppleOnlyRule and
// LeftOutNames.
import SwiftSyntax

enum LoneStatement {
    /// The statement around a piece of syntax.
    ///
    /// - Parameters:
    ///   - node: The piece.
    ///   - outer: The declaration around it all.
    ///   - file: The file.
    /// - Returns: The nearest statement, if it has its lines for itself and the code is still whole without it.
    static func around(_ node: Syntax, inside outer: Syntax, in file: PortingFile) -> Syntax? {
        var current = node
        while current.id != outer.id, let parent = current.parent {
            if let item = current.as(CodeBlockItemSyntax.self) {
                guard case .expr(let expression) = item.item, !expression.is(IfExprSyntax.self),
                    !expression.is(SwitchExprSyntax.self), let list = parent.as(CodeBlockItemListSyntax.self),
                    list.count > 1 || givesNothing(list)
                else { return nil }
                let hasOwnLines =
                    file.beginsLine(item.positionAfterSkippingLeadingTrivia.utf8Offset)
                    && file.endsLine(item.endPositionBeforeTrailingTrivia.utf8Offset)
                return hasOwnLines ? Syntax(item) : nil
            }
            current = parent
        }
        return nil
    }

    /// Whether a single expression in a body is not the body's value.
    private static func givesNothing(_ list: CodeBlockItemListSyntax) -> Bool {
        guard let block = list.parent?.as(CodeBlockSyntax.self), let owner = block.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
        if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text != "get" }
        return !owner.is(GuardStmtSyntax.self)
    }
}
