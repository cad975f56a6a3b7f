// Methods of migration policies that a mapping model calls by selector: on other platforms the policy must dispatch
// them itself.
import SwiftSyntax

enum PolicyMethodRule: PortingRule {
    static let name = "policy-method"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for selector in index.policySelectors.sorted() {
            guard let base = selector.split(separator: ":").first.map(String.init) else { continue }
            for member in index.members.values.joined() where isCalled(member, base, selector, index) {
                guard !dispatches(member.group.name, index) else { continue }
                member.group.file.report(
                    name,
                    at: member.node,
                    "a mapping model calls \(selector) of $entityPolicy, which needs the Objective-C runtime",
                    "Override value(forSelector:arguments:) in \(member.group.name) under #if !canImport(ObjectiveC), "
                        + "and call the method there for the selector \"\(selector)\"."
                )
            }
        }
    }

    /// Whether a policy calls its methods itself, which it may do under a condition.
    private static func dispatches(_ name: String, _ index: CodeIndex) -> Bool {
        let lineage = Set(index.lineage(name))
        return index.groups.contains { group in
            lineage.contains(group.name) && SignatureSearch.finds("value(forSelector:arguments:)", in: group.node)
        }
    }

    /// Whether a selector refers to a method: `colorFor:in:` is `color(for:in:)` or `colorFor(_:in:)`.
    private static func isCalled(
        _ member: CodeIndex.Member,
        _ base: String,
        _ selector: String,
        _ index: CodeIndex
    ) -> Bool {
        guard let function = member.node.as(FunctionDeclSyntax.self), !member.group.file.isLeftOut(function),
            index.lineage(member.group.name).contains("NSEntityMigrationPolicy"),
            function.signature.parameterClause.parameters.count == selector.count(where: { $0 == ":" })
        else { return false }
        if function.attributes.trimmedDescription.contains("@objc(\(selector))") { return true }
        var selectorBase = function.name.text
        if let label = function.signature.parameterClause.parameters.first?.firstName.text, label != "_" {
            let word = label.prefix(1).uppercased() + label.dropFirst()
            // A label that starts with a preposition is appended as it is, any other with "With".
            if base == selectorBase + "With" + word { return true }
            selectorBase += word
        }
        return base == selectorBase
    }

    /// Searches a type for a method, also in its conditional parts.
    private final class SignatureSearch: NameSearch {
        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            look(CodeIndex.signature(node), .skipChildren)
        }
    }
}
