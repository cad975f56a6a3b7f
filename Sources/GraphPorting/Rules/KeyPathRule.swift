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
            guard let path = path(argument.expression.trimmedDescription, in: node.enclosingType) else {
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

        /// The string; nil if a system type has different Objective-C names, or if it is not known which property of
        /// several is meant.
        private func path(_ literal: String, in enclosingType: String?) -> String? {
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
            // The type of the next property, as far as these files contain it.
            var owner = root ?? enclosingType
            if owner == "Self" { owner = enclosingType }
            for (place, part) in parts.enumerated() {
                let properties = properties(part, of: owner)
                guard properties.names.count <= 1 else { return nil }
                // Use a property's Objective-C name if it differs.
                if let name = properties.names.first { parts[place] = name }
                let types = Set(properties.members.map { Self.valueType($0.node) })
                owner = types.count == 1 ? types.first ?? nil : nil
            }
            return parts.joined(separator: ".")
        }

        /// The properties with a name and their names for Objective-C, of a type and its superclasses.
        ///
        /// If these files do not declare the type, all properties with the name are candidates.
        private func properties(
            _ name: String,
            of owner: String?
        ) -> (members: [CodeIndex.Member], names: Set<String>) {
            if let type = owner?.split(separator: ".").last, index.hasType(named: String(type)) {
                let members = index.members(name, of: String(type))
                // An override has the name of the property that it overrides.
                return (members, Set(members.compactMap { Self.objectiveCName($0.node) }))
            }
            let members = index.members[name] ?? []
            return (members, Set(members.map { Self.objectiveCName($0.node) ?? name }))
        }

        /// The name of a property's type, without the marks of optionals and collections; nil if it is not written.
        private static func valueType(_ node: DeclSyntax) -> String? {
            guard let variable = node.as(VariableDeclSyntax.self), variable.bindings.count == 1,
                let type = variable.bindings.first?.typeAnnotation?.type
            else { return nil }
            let names = type.trimmedDescription.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
            return names.last.map { String($0) }
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
