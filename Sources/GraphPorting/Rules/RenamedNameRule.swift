// Functions, constants and types with Apple-only names that exist under another name on all platforms.
import SwiftSyntax

enum RenamedNameRule: PortingRule {
    static let name = "renamed-call"

    private static let functions: [String: String] = [
        "CFAbsoluteTimeGetCurrent": "Date.timeIntervalSinceReferenceDate",
        "CACurrentMediaTime": "ProcessInfo.processInfo.systemUptime",
        "ProcessInfo": "ProcessInfo.processInfo",
    ]

    private static let constants: [String: String] = [
        "NSEC_PER_SEC": "UInt64(1_000_000_000)", "NSEC_PER_MSEC": "UInt64(1_000_000)", "NSEC_PER_USEC": "UInt64(1_000)",
        "USEC_PER_SEC": "UInt64(1_000_000)", "MSEC_PER_SEC": "UInt64(1_000)",
        "kCFBundleNameKey": "\"CFBundleName\"", "kCFBundleVersionKey": "\"CFBundleVersion\"",
        "kCFBundleIdentifierKey": "\"CFBundleIdentifier\"", "kCFBundleExecutableKey": "\"CFBundleExecutable\"",
        "NSLocalizedFailureErrorKey": "\"NSLocalizedFailure\"",
    ]

    /// Members that have another name on all platforms.
    private static let members: [String: String] = [
        "NSDate.now": "Date.now", ".atomicWrite": ".atomic", "NSData.WritingOptions.atomicWrite": ".atomic",
        "Data.WritingOptions.atomicWrite": ".atomic",
    ]

    /// Other names of types that have one on all platforms.
    private static let aliases: [String: String] = [
        "CFAbsoluteTime": "TimeInterval", "CFTimeInterval": "TimeInterval",
        "NSFastEnumerationIterator": "NSEnumerator.Iterator",
    ]

    /// Foundation types on Apple platforms that ManagedGraph declares elsewhere.
    private static let types: Set<String> = [
        "ValueTransformer", "NSExpression", "NSComparisonPredicate", "NSCompoundPredicate",
    ]

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        private func replace(_ node: some SyntaxProtocol, _ message: String, _ newName: String) {
            file.report(
                RenamedNameRule.name,
                at: node,
                message,
                "It is \(newName) now, which is the same.",
                edits: [TextEdit(replacing: node, newName)]
            )
        }

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            replaceFileURL(node)
            guard let callee = node.calledExpression.as(DeclReferenceExprSyntax.self), node.arguments.isEmpty,
                node.trailingClosure == nil, let newName = functions[callee.baseName.text], !file.isLeftOut(node),
                !index.hasType(named: callee.baseName.text)
            else { return .visitChildren }
            replace(node, "\(callee.baseName.text)() is of Apple's platforms", newName)
            return .visitChildren
        }

        /// `NSURL.fileURL(withPath: path)`, which is an initializer of `URL` on all platforms.
        private func replaceFileURL(_ node: FunctionCallExprSyntax) {
            guard node.calledExpression.trimmedDescription == "NSURL.fileURL", !file.isLeftOut(node),
                let first = node.arguments.first, let label = first.label, label.text == "withPath",
                let colon = first.colon, node.trailingClosure == nil
            else { return }
            let start = node.calledExpression.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = node.calledExpression.endPositionBeforeTrailingTrivia.utf8Offset
            let labelStart = label.positionAfterSkippingLeadingTrivia.utf8Offset
            file.report(
                RenamedNameRule.name,
                at: node,
                "NSURL.fileURL(withPath:) is a method of Apple's Foundation",
                "It is URL(fileURLWithPath:) now, which is the same.",
                edits: [
                    TextEdit(start..<end, "URL"),
                    TextEdit(labelStart..<colon.positionAfterSkippingLeadingTrivia.utf8Offset, "fileURLWithPath"),
                ]
            )
        }

        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.baseName.text
            guard node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id, !file.isLeftOut(node) else {
                return .visitChildren
            }
            if let newName = constants[name], index.members[name] == nil {
                replace(node, "\(name) is a constant of Apple's platforms", newName)
            } else if let newName = newType(name) {
                replace(node, "\(name) is a type of Apple's platforms", newName)
            }
            return .visitChildren
        }

        override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
            let name = node.name.text
            guard let newName = newType(name), !file.isLeftOut(node) else { return .visitChildren }
            replace(node, "\(name) is a type of Apple's platforms", newName)
            return .visitChildren
        }

        override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
            let name = node.name.text
            if node.baseType.trimmedDescription == "Foundation", isOurs(name), !file.isLeftOut(node) {
                replace(node, "\(name) is not Foundation's off Apple", name)
            }
            return .visitChildren
        }

        override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.declName.baseName.text
            if node.base?.trimmedDescription == "Foundation", isOurs(name), !file.isLeftOut(node) {
                replace(node, "\(name) is not Foundation's off Apple", name)
                return .skipChildren
            }
            if let newName = members[node.trimmedDescription], !file.isLeftOut(node) {
                replace(node, "\(node.trimmedDescription) is of Apple's Foundation", newName)
                return .skipChildren
            }
            return .visitChildren
        }

        private func newType(_ name: String) -> String? { index.hasType(named: name) ? nil : aliases[name] }

        private func isOurs(_ name: String) -> Bool { types.contains(name) && !index.hasType(named: name) }
    }
}
