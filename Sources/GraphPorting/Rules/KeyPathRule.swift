// Replaces `#keyPath(Task.owner.name)` with its string, which is the same on all platforms.
import SwiftSyntax

enum KeyPathRule: PortingRule {
    static let name = "key-path"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
            guard node.macroName.text == "keyPath", !file.isLeftOut(node), let argument = node.arguments.first else {
                return .visitChildren
            }
            let message = "#keyPath needs the Objective-C runtime"
            guard let path = path(argument.expression.trimmedDescription) else {
                file.report(
                    KeyPathRule.name,
                    at: node,
                    message,
                    "Write the key path as a string, with the names that Objective-C has for the properties."
                )
                return .visitChildren
            }
            let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = node.endPositionBeforeTrailingTrivia.utf8Offset
            file.report(
                KeyPathRule.name,
                at: node,
                message,
                "It is the string \"\(path)\" now.",
                edits: [TextEdit(start..<end, "\"\(path)\"")]
            )
            return .skipChildren
        }

        /// The string; nil if a system type has different Objective-C names.
        private func path(_ literal: String) -> String? {
            var parts = literal.split(separator: ".").map { part in
                part.trimmingPrefix { $0.isWhitespace }.filter {
                    !$0.isWhitespace && $0 != "?" && $0 != "!" && $0 != "`"
                }
            }
            var root: String?
            while parts.count > 1, let first = parts.first, isType(first) {
                root = first
                parts.removeFirst()
            }
            if let root, !index.hasType(named: root), Self.hasOwnNames(root) { return nil }
            // Use a property's Objective-C name if it differs.
            for (place, part) in parts.enumerated() {
                let declared = (index.members[part] ?? []).compactMap { Self.objectiveCName($0.node) }
                if let declaredName = declared.first { parts[place] = declaredName }
            }
            return parts.joined(separator: ".")
        }

        private func isType(_ name: String) -> Bool {
            name == "Self" || index.hasType(named: name) || name.first?.isUppercase == true
        }

        private static func hasOwnNames(_ name: String) -> Bool {
            ["Operation", "Progress", "Thread", "UserDefaults", "URLSessionTask"].contains(name)
                || ["UI", "AV", "WK", "CA"].contains { name.hasPrefix($0) }
        }

        private static func objectiveCName(_ node: DeclSyntax) -> String? {
            guard let variable = node.as(VariableDeclSyntax.self) else { return nil }
            for case .attribute(let attribute) in variable.attributes
            where attribute.attributeName.trimmedDescription == "objc" {
                return attribute.arguments?.trimmedDescription
            }
            return nil
        }
    }
}
