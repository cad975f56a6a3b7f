// What a rule is. Rules stand in Rules/, one a file; Porter runs them in the order of its list.
import SwiftSyntax

/// Finds one kind of thing that does not compile off Apple.
protocol PortingRule {
    /// Looks at all files of a module.
    ///
    /// - Parameters:
    ///   - files: The files that parse.
    ///   - index: What they declare.
    static func run(on files: [PortingFile], index: CodeIndex)
}

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
