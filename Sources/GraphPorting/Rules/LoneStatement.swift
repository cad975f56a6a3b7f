// Statements that can be left out individually: calls and assignments whose value is unused. Used by AppleOnlyRule and
// LeftOutNames.
import SwiftSyntax

enum LoneStatement {
    /// The statement around a syntax node.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - outer: The enclosing declaration.
    ///   - file: The file.
    /// - Returns: The nearest statement, if it is alone on its lines and the code remains valid without it.
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

    /// The replacement of a statement: `break` for the last one of a branch.
    ///
    /// - Parameters:
    ///   - node: The statement, which is already left out.
    ///   - file: The file.
    /// - Returns: The replacement; nil if none is needed.
    static func replacement(of node: Syntax, in file: PortingFile) -> String? {
        guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.parent?.is(SwitchCaseSyntax.self) == true,
            list.allSatisfy({ file.isLeftOut($0) })
        else { return nil }
        return "break"
    }

    /// Whether a single expression in a body is not the body's value.
    private static func givesNothing(_ list: CodeBlockItemListSyntax) -> Bool {
        if let branch = list.parent?.as(SwitchCaseSyntax.self) {
            // A branch has a value if its switch has one.
            guard let item = branch.parent?.parent?.parent?.parent?.as(CodeBlockItemSyntax.self),
                let outer = item.parent?.as(CodeBlockItemListSyntax.self)
            else { return false }
            return outer.count > 1 || givesNothing(outer)
        }
        guard let block = list.parent?.as(CodeBlockSyntax.self), let owner = block.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
        if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text != "get" }
        return !owner.is(GuardStmtSyntax.self)
    }
}
