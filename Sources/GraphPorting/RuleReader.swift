// The base of the visitors that look for the code a rule changes.
import SwiftSyntax

/// Walks the code of one file for a rule.
class RuleReader: SyntaxVisitor {
    final let file: PortingFile
    final let index: CodeIndex

    init(_ file: PortingFile, _ index: CodeIndex) {
        self.file = file
        self.index = index
        super.init(viewMode: .sourceAccurate)
    }
}
