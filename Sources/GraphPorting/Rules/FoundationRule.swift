// Calls of Foundation that other platforms lack, or that return other types there, and that Core Data code makes often.
// They are reported.
import SwiftSyntax

enum FoundationRule: PortingRule {
    static let name = "foundation"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard !file.isLeftOut(node) else { return .visitChildren }
            let labels = node.arguments.map { $0.label?.text ?? "_" }
            if let callee = node.calledExpression.as(DeclReferenceExprSyntax.self), callee.baseName.text == "String",
                labels.first == "localized", labels.count > 1 || isText(node.arguments.first?.expression)
            {
                file.report(
                    FoundationRule.name,
                    at: node,
                    "String(localized:) is part of Apple's Foundation alone",
                    "Use NSLocalizedString(_:bundle:comment:)."
                )
            } else if let access = node.calledExpression.as(MemberAccessExprSyntax.self),
                access.declName.baseName.text == "urls", labels.first == "forResourcesWithExtension"
            {
                file.report(
                    FoundationRule.name,
                    at: node,
                    "urls(forResourcesWithExtension:subdirectory:) of a bundle returns NSURL objects off Apple",
                    "Convert them, which all platforms take: ?.map { $0 as URL }."
                )
            } else if let access = node.calledExpression.as(MemberAccessExprSyntax.self),
                ["compressed", "decompressed"].contains(access.declName.baseName.text), labels == ["using"],
                node.arguments.first?.expression.is(MemberAccessExprSyntax.self) == true
            {
                file.report(
                    FoundationRule.name,
                    at: node,
                    "\(access.declName.baseName.text)(using:) is part of Apple's Foundation alone",
                    "Call a library, such as zlib; the LZFSE format needs one of its own."
                )
            } else if let access = node.calledExpression.as(MemberAccessExprSyntax.self),
                access.declName.baseName.text == "replaceItem", labels.last == "resultingItemURL"
            {
                file.report(
                    FoundationRule.name,
                    at: node,
                    "replaceItem(at:withItemAt:backupItemName:options:resultingItemURL:) is part of Apple's Foundation alone",
                    "Call replaceItemAt(_:withItemAt:backupItemName:options:), which returns the URL on all platforms."
                )
            } else if isBundle(node), labels == ["for"], !isListed(node) {
                file.report(
                    FoundationRule.name,
                    at: node,
                    "Bundle(for:) is the program's own bundle off Apple, which has no resources of other modules",
                    "Write Bundle.module in an #else part of #if canImport(ObjectiveC), or Bundle.main if the target has no "
                        + "resources. NSPersistentContainer(name:) and mergedModel(from:) find a model that the plugin "
                        + "embeds; a model's URL needs a compiled model among the resources."
                )
            }
            return .visitChildren
        }

        /// Whether a call makes a bundle: by the type's name, or as an argument or a default value that is one.
        private func isBundle(_ node: FunctionCallExprSyntax) -> Bool {
            let callee = node.calledExpression.trimmedDescription
            if callee == "Bundle" || callee == "Bundle.init" { return true }
            guard callee == ".init" else { return false }
            if let argument = node.parent?.as(LabeledExprSyntax.self) {
                return argument.label?.text.lowercased().hasSuffix("bundle") == true
            }
            guard let initializer = node.parent?.as(InitializerClauseSyntax.self) else { return false }
            let type =
                initializer.parent?.as(PatternBindingSyntax.self)?.typeAnnotation?.type
                ?? initializer.parent?.as(FunctionParameterSyntax.self)?.type
            return type.map { ["Bundle", "Bundle?"].contains($0.trimmedDescription) } == true
        }

        /// Whether an expression is an element of a list of bundles, in which embedded models are found.
        private func isListed(_ node: FunctionCallExprSyntax) -> Bool {
            node.parent?.is(ArrayElementSyntax.self) == true
        }

        override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind {
            guard let access = node.expression.as(MemberAccessExprSyntax.self),
                access.declName.baseName.text == "bundleIdentifier", !file.isLeftOut(node),
                access.base?.trimmedDescription.hasPrefix("Bundle") == true
            else { return .visitChildren }
            file.report(
                FoundationRule.name,
                at: node,
                "programs have no bundleIdentifier off Apple, and stop here",
                "Add a text for it: Bundle.main.bundleIdentifier ?? \"name\"."
            )
            return .visitChildren
        }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            let inherited = node.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
            guard inherited.contains("NSCoding") || inherited.contains("NSSecureCoding"), !file.isLeftOut(node),
                node.parent?.is(MemberBlockItemSyntax.self) == true
            else { return .visitChildren }
            file.report(
                FoundationRule.name,
                at: node.name,
                "Foundation off Apple stops the program when it archives an object of a class inside another type",
                "Move the class \(node.name.text) out of the type."
            )
            return .visitChildren
        }

        override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.declName.baseName.text
            if name == "libraryDirectory", node.parent?.is(LabeledExprSyntax.self) == true,
                node.base == nil || node.base?.trimmedDescription.hasSuffix("SearchPathDirectory") == true,
                !file.isLeftOut(node)
            {
                file.report(
                    FoundationRule.name,
                    at: node,
                    "off Apple, FileManager has no library folder: the list of folders is empty",
                    "Use .applicationSupportDirectory."
                )
            }
            guard ["allBundles", "allFrameworks"].contains(name), node.base?.trimmedDescription == "Bundle",
                !file.isLeftOut(node)
            else { return .visitChildren }
            file.report(
                FoundationRule.name,
                at: node,
                "Bundle.\(name) is empty off Apple, so that nothing is found in it",
                "Name the bundles: [Bundle.main, Bundle.module]."
            )
            return .visitChildren
        }

        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements)
            for place in elements.indices.dropFirst().dropLast() where !file.isLeftOut(elements[place]) {
                let cast = elements[place].as(UnresolvedAsExprSyntax.self)
                if let mutable = Self.mutableSet(elements[place + 1]), Self.isValueForKey(elements[place - 1]) {
                    file.report(
                        FoundationRule.name,
                        at: elements[place],
                        "the value of a to-many relationship is a copy off Apple, and changes of it are lost",
                        "Call mutable\(mutable.dropFirst(9))Value(forKey:)."
                    )
                }
                guard cast?.questionOrExclamationMark != nil || elements[place].is(UnresolvedIsExprSyntax.self),
                    let type = elements[place + 1].as(TypeExprSyntax.self)?.type,
                    let name = Self.bridgedProtocol(type), !index.hasType(named: name)
                else { continue }
                let object = type.trimmedDescription.hasPrefix("[") ? "[NSObject]" : "NSObject"
                file.report(
                    FoundationRule.name,
                    at: elements[place],
                    "a text, number, date or collection of Swift does not become \(name) off Apple, and the cast fails",
                    "Cast to the type of Swift, or to \(object) before: (value as? \(object)) as? "
                        + "\(type.trimmedDescription)."
                )
            }
            return .visitChildren
        }

        /// The class of mutable sets that a cast asks for; nil if it asks for another type.
        private static func mutableSet(_ type: ExprSyntax) -> String? {
            let name = type.as(TypeExprSyntax.self)?.type.trimmedDescription
            return ["NSMutableSet", "NSMutableOrderedSet"].first { $0 == name }
        }

        /// Whether an expression is a call of `value(forKey:)` or `value(forKeyPath:)`.
        private static func isValueForKey(_ expression: ExprSyntax) -> Bool {
            guard let call = expression.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
                let label = call.arguments.first?.label?.text, ["forKey", "forKeyPath"].contains(label)
            else { return false }
            let name =
                call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName
                ?? call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
            return name?.text == "value"
        }

        /// The protocol of Foundation's objects that a cast asks for, or for the elements of an array; nil if none.
        private static func bridgedProtocol(_ type: TypeSyntax) -> String? {
            let names: Set<String> = [
                "NSCoding", "NSSecureCoding", "NSCopying", "NSMutableCopying", "NSObjectProtocol",
            ]
            let words = type.trimmedDescription.split { !$0.isLetter }.filter { $0 != "any" }
            guard words.count == 1, let word = words.first, names.contains(String(word)) else { return nil }
            return String(word)
        }

        private func isText(_ expression: ExprSyntax?) -> Bool { expression?.is(StringLiteralExprSyntax.self) == true }
    }
}
