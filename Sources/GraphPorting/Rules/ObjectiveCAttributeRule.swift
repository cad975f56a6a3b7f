// Wraps `@objc`, `@objcMembers` and the attributes that imply it in `#if canImport(ObjectiveC)`: the compiler rejects
// them without an Objective-C runtime.
import SwiftSyntax

enum ObjectiveCAttributeRule: PortingRule {
    static let name = "objc"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file).walk(file.tree) }
    }

    /// Attributes that the compiler rejects without the runtime.
    private static let attributes: Set<String> = ["objc", "objcMembers", "IBAction", "IBSegueAction"]

    private final class Reader: SyntaxVisitor {
        private let file: PortingFile

        init(_ file: PortingFile) {
            self.file = file
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
            guard !file.isLeftOut(node) else { return .skipChildren }
            let optional = node.memberBlock.members.first { member in
                member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers
                    .contains { $0.name.text == "optional" } == true
            }
            guard let optional else { return .visitChildren }
            file.report(
                ObjectiveCAttributeRule.name,
                at: optional.decl,
                "optional requirements of a protocol need the Objective-C runtime",
                "Make the requirement a plain one and give it a body in an extension of \(node.name.text), then take "
                    + "away @objc and optional, and the question marks at its calls."
            )
            return .skipChildren
        }

        override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind {
            let attributes = node.compactMap { element -> AttributeSyntax? in
                guard case .attribute(let attribute) = element,
                    ObjectiveCAttributeRule.attributes.contains(attribute.attributeName.trimmedDescription),
                    !file.isLeftOut(attribute)
                else { return nil }
                return attribute
            }
            for attribute in attributes {
                let message = "\(attribute.trimmedDescription) needs the Objective-C runtime"
                AttributeGuard.wrap(attribute, in: file, "ObjectiveC", ObjectiveCAttributeRule.name, message)
            }
            return .visitChildren
        }
    }
}
