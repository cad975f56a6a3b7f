// Methods of migration policies that a mapping model calls by selector: on other platforms the policy must dispatch
// them itself. Adds an override that does.
import SwiftSyntax

enum PolicyMethodRule: PortingRule {
    static let name = "policy-method"

    static func run(on files: [PortingFile], index: CodeIndex) {
        let policies = Dictionary(grouping: calls(index)) { $0.member.group.name }
        for (policy, calls) in policies.sorted(by: { $0.key < $1.key }) where !dispatches(policy, index) {
            let addition = addition(calls, index)
            if let (edit, file) = addition, file.edits.add([edit]) {
                report(
                    calls,
                    "\(policy) calls it in value(forSelector:arguments:) on platforms without the runtime.",
                    isFixed: true
                )
            } else {
                report(
                    calls,
                    "Override value(forSelector:arguments:) in \(policy) under #if !canImport(ObjectiveC), and call the "
                        + "method there for the selector.",
                    isFixed: false
                )
            }
        }
    }

    private static func report(_ calls: [PolicyCall], _ remedy: String, isFixed: Bool) {
        for call in calls {
            call.member.group.file.report(
                name,
                at: call.member.node,
                "a mapping model calls \(call.selector) of $entityPolicy, which needs the Objective-C runtime",
                remedy,
                edits: isFixed ? [] : nil
            )
        }
    }

    /// The methods of policies that mapping models call, one for each selector and class.
    private static func calls(_ index: CodeIndex) -> [PolicyCall] {
        guard !index.policySelectors.isEmpty else { return [] }
        let members = index.members.values.joined().filter {
            index.lineage($0.group.name).contains("NSEntityMigrationPolicy")
        }.sorted { $0.signature < $1.signature }
        var calls: [PolicyCall] = []
        for selector in index.policySelectors.sorted() {
            var policies: Set<String> = []
            for member in members {
                guard let call = PolicyCall(selector, member), policies.insert(member.group.name).inserted else {
                    continue
                }
                calls.append(call)
            }
        }
        return calls
    }

    /// The override that calls the methods, at the end of the class; nil if a method must be called by hand.
    private static func addition(_ calls: [PolicyCall], _ index: CodeIndex) -> (TextEdit, PortingFile)? {
        guard let target = calls.first.flatMap({ index.declaration(ofClass: $0.member.group.path) }),
            !target.file.isLeftOut(target.node)
        else { return nil }
        var cases: [String] = []
        for call in calls {
            guard call.member.group.file === target.file || !call.isPrivate, let lines = call.lines() else {
                return nil
            }
            cases += lines
        }
        let signature = "override func value(forSelector selector: String, arguments: [Any?]) throws -> Any?"
        let start = [
            "#if !canImport(ObjectiveC)", "\(target.isPublic ? "public " : "")\(signature) {", "    switch selector {",
        ]
        let end = [
            "    default: break",
            "    }",
            "    return try super.value(forSelector: selector, arguments: arguments)",
            "}",
            "#endif",
        ]
        let lines = (start + cases.map { "    " + $0 } + end).map { target.memberIndentation + $0 }
        return (target.appending(lines.joined(separator: target.file.newline)), target.file)
    }

    /// Whether a policy calls its methods itself, which it may do under a condition.
    private static func dispatches(_ name: String, _ index: CodeIndex) -> Bool {
        let lineage = Set(index.lineage(name))
        return index.groups.contains { group in
            lineage.contains(group.name) && SignatureSearch.finds("value(forSelector:arguments:)", in: group.node)
        }
    }

    /// Searches a type for a method, also in its conditional parts.
    private final class SignatureSearch: NameSearch {
        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            look(CodeIndex.signature(node), .skipChildren)
        }
    }
}
