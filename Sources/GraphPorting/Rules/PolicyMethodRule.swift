// Methods of migration policies that a mapping model calls by selector: on other platforms the policy must dispatch
// them itself.
import SwiftSyntax

enum PolicyMethodRule: PortingRule {
    static let name = "policy-method"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for selector in index.policySelectors.sorted() {
            guard let base = selector.split(separator: ":").first.map(String.init) else { continue }
            for member in index.members.values.joined() where isCalled(member, base, selector, index) {
                guard index.members("value(forSelector:arguments:)", of: member.group.name).isEmpty else { continue }
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
}
