// `type.init(context:)` with a metatype whose class is known only at run time. On other platforms the object would be
// of the metatype's static class: `init(context:)` is not a required initializer, as subclasses may declare their own.
// The call becomes one of `init(entity:insertInto:)`, which is required.
import SwiftSyntax

enum MetatypeRule: PortingRule {
    static let name = "metatype-init"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let callee = node.calledExpression.as(MemberAccessExprSyntax.self),
                callee.declName.baseName.text == "init", node.arguments.count == 1, let argument = node.arguments.first,
                let label = argument.label, label.text == "context",
                let base = callee.base?.as(DeclReferenceExprSyntax.self)?.baseName.text, isDynamic(base, in: node),
                !file.isLeftOut(node)
            else { return .visitChildren }
            let end = argument.expression.positionAfterSkippingLeadingTrivia.utf8Offset
            file.report(
                MetatypeRule.name,
                at: node,
                "\(base).init(context:) makes an object of the static class off Apple",
                "The required initializer makes one of the class that \(base) stands for.",
                edits: [
                    TextEdit(
                        label.positionAfterSkippingLeadingTrivia.utf8Offset..<end,
                        "entity: \(base).entity(), insertInto: "
                    )
                ]
            )
            return .visitChildren
        }

        /// Whether a node is in an extension of `NSManagedObject`.
        private func isInObject(_ node: Syntax) -> Bool {
            var parent = node.parent
            while let current = parent {
                if let type = current.as(ExtensionDeclSyntax.self) {
                    return type.extendedType.trimmedDescription == "NSManagedObject"
                }
                parent = current.parent
            }
            return false
        }

        /// Whether a name is a metatype of managed objects whose class is determined at run time.
        private func isDynamic(_ base: String, in node: FunctionCallExprSyntax) -> Bool {
            var parent = node.parent
            while let current = parent {
                if let function = current.as(FunctionDeclSyntax.self) {
                    if base == "self" {
                        let result = function.signature.returnClause?.type.trimmedDescription ?? ""
                        return function.modifiers.contains { ["class", "static"].contains($0.name.text) }
                            && !result.hasPrefix("Self") && isInObject(Syntax(function))
                    }
                    return MetatypeNames.areDeclared(base, in: Syntax(function))
                }
                parent = current.parent
            }
            return base != "self" && MetatypeNames.areDeclared(base, in: Syntax(file.tree))
        }
    }
}
