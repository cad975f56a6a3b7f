// `#selector(…)`, which needs the Objective-C runtime: comparisons of sort descriptors become strings, and observers of
// notifications get a closure on other platforms. All other uses are reported.
import SwiftSyntax

enum SelectorRule: PortingRule {
    static let name = "selector"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    /// The property that `NSStringFromSelector(#selector(getter: …))` names; nil for other calls, and for properties
    /// that these files do not declare, as their getters may have another name.
    static func property(of call: FunctionCallExprSyntax, _ index: CodeIndex) -> String? {
        guard call.calledExpression.trimmedDescription == "NSStringFromSelector", call.arguments.count == 1,
            let macro = call.arguments.first?.expression.as(MacroExpansionExprSyntax.self),
            macro.macroName.text == "selector", macro.arguments.first?.label?.text == "getter",
            let target = macro.arguments.first?.expression
        else { return nil }
        let name = (target.as(MemberAccessExprSyntax.self)?.declName ?? target.as(DeclReferenceExprSyntax.self))?
            .baseName.text
        guard let name, let members = index.members[name], !members.isEmpty else { return nil }
        let hasOwnName = members.contains { member in
            guard let variable = member.node.as(VariableDeclSyntax.self) else { return true }
            return variable.trimmedDescription.contains("@objc(")
        }
        return hasOwnName ? nil : name
    }

    private final class Reader: RuleReader {
        override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
            guard node.macroName.text == "selector", !file.isLeftOut(node), let argument = node.arguments.first else {
                return .visitChildren
            }
            let target = argument.expression.trimmedDescription
            let message = "#selector needs the Objective-C runtime"
            if let call = node.parent?.parent?.parent?.as(FunctionCallExprSyntax.self),
                let name = SelectorRule.property(of: call, index)
            {
                file.report(
                    SelectorRule.name,
                    at: node,
                    message,
                    "The name of the property is the string \"\(name)\" now.",
                    edits: [TextEdit(replacing: call, "\"\(name)\"")]
                )
            } else if let name = Self.comparison(target) {
                file.report(
                    SelectorRule.name,
                    at: node,
                    message,
                    "The comparison is named by a string now.",
                    edits: [TextEdit(replacing: node, "Selector((\"\(name)\"))")]
                )
            } else if let edits = observer(node, argument.expression) {
                file.report(
                    SelectorRule.name,
                    at: node,
                    message,
                    "Off Apple the notification center calls a closure. It stays until the token that addObserver "
                        + "returns is removed, and does nothing once the observer is gone.",
                    edits: edits
                )
            } else {
                file.report(
                    SelectorRule.name,
                    at: node,
                    message,
                    "Pass a closure, or put the call under #if canImport(ObjectiveC)."
                )
            }
            return .visitChildren
        }

        /// The Objective-C name of a string or number comparison.
        private static func comparison(_ target: String) -> String? {
            let parts = target.split(separator: ".").map(String.init)
            guard parts.count == 2, parts[0].hasPrefix("NS") || parts[0] == "String" else { return nil }
            let name = parts[1].split(separator: "(").first.map(String.init) ?? parts[1]
            let methodNames = [
                "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
                "localizedStandardCompare",
            ]
            return methodNames.contains(name) ? name + ":" : nil
        }

        /// The edits that add a second form of an observer's registration; nil if its form is not supported.
        private func observer(_ node: MacroExpansionExprSyntax, _ target: ExprSyntax) -> [TextEdit]? {
            guard let argument = node.parent?.as(LabeledExprSyntax.self), argument.label?.text == "selector",
                let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self), call.trailingClosure == nil,
                let access = call.calledExpression.as(MemberAccessExprSyntax.self),
                access.declName.baseName.text == "addObserver", let center = access.base, isNotificationCenter(center),
                let item = call.parent?.as(CodeBlockItemSyntax.self)
            else { return nil }
            let arguments = Dictionary(
                call.arguments.map { ($0.label?.text ?? "", $0.expression.trimmedDescription) },
                uniquingKeysWith: { first, _ in first }
            )
            guard arguments[""] == "self", let name = arguments["name"], let object = arguments["object"],
                let type = node.enclosingType, let handler = handler(target, in: type)
            else { return nil }
            let start = item.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = item.endPositionBeforeTrailingTrivia.utf8Offset
            guard file.beginsLine(start), file.endsLine(end) else { return nil }
            let space = file.indentation(start)
            let newline = file.newline
            let parameter = handler.takesNotification ? "notification" : "_"
            let lines = [
                "\(space)#else",
                "\(space)_ = \(center.trimmedDescription).addObserver(forName: \(name), object: \(object), queue: nil) "
                    + "{ [weak self] \(parameter) in",
                "\(space)    \(handler.call)", "\(space)}", "\(space)#endif", "",
            ]
            return [
                TextEdit(at: file.lineStart(start), "\(space)#if canImport(ObjectiveC)\(newline)"),
                TextEdit(at: file.lineEnd(end), lines.joined(separator: newline)),
            ]
        }

        /// Whether a call is one of Foundation's notification center, and not of a type of the program with this
        /// method.
        private func isNotificationCenter(_ center: ExprSyntax) -> Bool {
            center.trimmedDescription.hasPrefix("NotificationCenter")
                || !index.allSignatures.contains("addObserver(_:selector:name:object:)")
        }

        /// Whether a method belongs to an actor, so that a closure of the notification center cannot call it.
        private func isIsolated(_ member: CodeIndex.Member) -> Bool {
            guard let function = member.node.as(FunctionDeclSyntax.self) else { return false }
            if function.modifiers.contains(where: { $0.name.text == "nonisolated" }) { return false }
            if Self.hasActor(function.attributes) || Self.hasActor(member.group.node.attributes) { return true }
            let names = index.lineage(member.group.name)
            return index.groups.contains { group in
                !group.isExtension && names.contains(group.name) && Self.hasActor(group.node.attributes)
            }
        }

        /// Whether an attribute is a global actor whose name ends in "Actor".
        private static func hasActor(_ attributes: AttributeListSyntax) -> Bool {
            attributes.contains { element in
                guard case .attribute(let attribute) = element else { return false }
                return attribute.attributeName.trimmedDescription.hasSuffix("Actor")
            }
        }

        /// The call of the method that a selector refers to, for a closure that is passed the notification.
        private func handler(_ target: ExprSyntax, in type: String) -> (call: String, takesNotification: Bool)? {
            var reference = target
            if let access = target.as(MemberAccessExprSyntax.self) {
                let base = access.base?.trimmedDescription ?? ""
                guard ["self", "Self", "type(of: self)", type, ""].contains(base) else { return nil }
                reference = ExprSyntax(access.declName)
            }
            guard let name = reference.as(DeclReferenceExprSyntax.self) else { return nil }
            let base = name.baseName.text
            let labels = name.argumentNames?.arguments.map { $0.name.text + ":" }.joined()
            let matches = index.members.values.joined().filter { member in
                guard index.lineage(type).contains(member.group.name),
                    let function = member.node.as(FunctionDeclSyntax.self),
                    function.name.text == base, member.parameters.count <= 1,
                    !function.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
                else { return false }
                return labels.map { member.signature == "\(base)(\($0))" } ?? true
            }
            guard let member = matches.first, matches.count == 1, !isIsolated(member) else { return nil }
            // The notification center reports no errors on any platform.
            let effects = member.node.as(FunctionDeclSyntax.self)?.signature.effectSpecifiers
            let lead = (effects?.throwsClause == nil ? "" : "try? ") + "self?.\(base)"
            guard let parameter = member.parameters.first else { return ("\(lead)()", false) }
            let label = member.signature.dropFirst(base.count + 1).dropLast(2)
            let start = label == "_" ? lead + "(" : "\(lead)(\(label): "
            switch parameter.filter({ !"?!".contains($0) }) {
            case "Notification", "Foundation.Notification", "Any": return (start + "notification)", true)
            case "NSNotification": return (start + "notification as NSNotification)", true)
            default: return nil
            }
        }
    }
}
