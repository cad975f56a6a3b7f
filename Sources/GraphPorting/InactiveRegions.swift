// The parts of a file that its own conditions leave out. Used by PortingFile.
import GraphCodeGeneration
import SwiftSyntax

/// Finds the parts that the file's own conditions leave out on other platforms.
final class InactiveRegions: SyntaxVisitor {
    var ranges: [Range<Int>] = []

    init() { super.init(viewMode: .sourceAccurate) }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        var isDecided = false
        for clause in node.clauses {
            // Evaluate the condition for Linux, which represents all other platforms.
            let value = clause.condition.map { PlatformCondition.value(of: $0, system: "Linux") } ?? .yes
            if isDecided || value == .no, let elements = clause.elements {
                ranges.append(elements.position.utf8Offset..<elements.endPosition.utf8Offset)
            }
            if value == .yes { isDecided = true }
        }
        return .visitChildren
    }
}
