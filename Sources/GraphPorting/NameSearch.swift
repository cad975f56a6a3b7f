// The base of the visitors that search a file or a member for the declaration of a name.
import SwiftSyntax

/// Searches for a declaration of a name; subclasses visit the kinds of declarations that count.
class NameSearch: SyntaxVisitor {
    let name: String
    private var isFound = false

    required init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    /// Whether a syntax node declares the name.
    static func finds(_ name: String, in node: some SyntaxProtocol) -> Bool {
        let search = Self(name)
        search.walk(node)
        return search.isFound
    }

    /// Compares the name of a declaration.
    final func look(_ token: TokenSyntax, _ next: SyntaxVisitorContinueKind) -> SyntaxVisitorContinueKind {
        look(token.text, next)
    }

    /// Compares the name of a declaration, such as one with labels.
    final func look(_ text: String, _ next: SyntaxVisitorContinueKind) -> SyntaxVisitorContinueKind {
        if text == name { isFound = true }
        return next
    }
}
