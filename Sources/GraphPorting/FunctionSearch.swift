// A search for a function that a rule writes at the end of a file, by rules that have written it before.
import SwiftSyntax

/// Searches for a function at file scope.
final class FunctionSearch: NameSearch {
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { look(node.name, .skipChildren) }
}
