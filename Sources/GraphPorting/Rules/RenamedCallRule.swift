// Calls of C functions that only Apple has, and that Foundation has under another name everywhere.
import SwiftSyntax

enum RenamedCallRule: PortingRule {
    static let name = "renamed-call"

    private static let names: [String: String] = [
        "CFAbsoluteTimeGetCurrent": "Date.timeIntervalSinceReferenceDate",
        "CACurrentMediaTime": "ProcessInfo.processInfo.systemUptime",
    ]

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file).walk(file.tree) }
    }

    private final class Reader: SyntaxVisitor {
        private let file: PortingFile

        init(_ file: PortingFile) {
            self.file = file
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let callee = node.calledExpression.as(DeclReferenceExprSyntax.self), node.arguments.isEmpty,
                node.trailingClosure == nil, let other = names[callee.baseName.text], !file.isLeftOut(node)
            else { return .visitChildren }
            let range =
                node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
            file.report(
                RenamedCallRule.name,
                at: node,
                "\(callee.baseName.text) is a function of Apple's platforms",
                "It is \(other) now, which is the same.",
                edits: [TextEdit(range, other)]
            )
            return .visitChildren
        }
    }
}
