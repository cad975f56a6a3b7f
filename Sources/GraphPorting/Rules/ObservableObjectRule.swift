// Classes that only views observe: moves the conformance to Combine's ObservableObject into a conditional extension,
// and wraps `@Published` in a condition. If other code observes them, both are kept and OpenCombine replaces Combine.
import SwiftSyntax

enum ObservableObjectRule: PortingRule {
    static let name = "observable-object"

    static func run(on files: [PortingFile], index: CodeIndex) {
        if case .openCombine = index.combine { return }
        guard !index.hasType(named: "ObservableObject") else { return }
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: SyntaxVisitor {
        private let file: PortingFile
        private let index: CodeIndex
        private var path: [String] = []

        init(_ file: PortingFile, _ index: CodeIndex) {
            self.file = file
            self.index = index
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            path.append(node.name.text)
            if !file.isLeftOut(node) { look(node) }
            return .visitChildren
        }

        override func visitPost(_ node: ClassDeclSyntax) { path.removeLast() }

        override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
            path.append(node.extendedType.trimmedDescription)
            if !file.isLeftOut(node) { look(node) }
            return .visitChildren
        }

        override func visitPost(_ node: ExtensionDeclSyntax) { path.removeLast() }

        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
            path.append(node.name.text)
            return .visitChildren
        }

        override func visitPost(_ node: StructDeclSyntax) { path.removeLast() }

        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
            path.append(node.name.text)
            return .visitChildren
        }

        override func visitPost(_ node: EnumDeclSyntax) { path.removeLast() }

        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
            path.append(node.name.text)
            return .visitChildren
        }

        override func visitPost(_ node: ActorDeclSyntax) { path.removeLast() }

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            // The framework implements `objectWillChange` of a managed object.
            guard let access = node.calledExpression.as(MemberAccessExprSyntax.self), !file.isLeftOut(node),
                access.declName.baseName.text == "send", let base = access.base?.trimmedDescription,
                base == "objectWillChange" || base.hasSuffix(".objectWillChange"),
                !path.contains(where: { index.isManaged($0) })
            else { return .visitChildren }
            let message = "objectWillChange is of Combine, which only Apple's platforms have"
            guard let statement = LoneStatement.around(Syntax(node), inside: Syntax(file.tree), in: file) else {
                file.report(
                    ObservableObjectRule.name,
                    at: node,
                    message,
                    "Put it under #if canImport(Combine): only views observe it."
                )
                return .visitChildren
            }
            let range = file.attachedStart(of: statement)..<statement.endPositionBeforeTrailingTrivia.utf8Offset
            file.leaveOut(range)
            file.report(
                ObservableObjectRule.name,
                at: node,
                message,
                "The statement is under #if canImport(Combine): only views observe it.",
                edits: file.wrap(
                    range,
                    in: "canImport(Combine)",
                    otherwise: LoneStatement.replacement(of: statement, in: file)
                )
            )
            return .skipChildren
        }

        override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
            guard node.attributeName.trimmedDescription == "Published", !file.isLeftOut(node) else {
                return .visitChildren
            }
            let message = "@Published is of Combine, which only Apple's platforms have"
            AttributeGuard.wrap(node, in: file, "Combine", ObservableObjectRule.name, message)
            return .visitChildren
        }

        private static func place(_ clause: InheritanceClauseSyntax) -> InheritedTypeSyntax? {
            clause.inheritedTypes.first {
                ["ObservableObject", "Combine.ObservableObject"].contains($0.type.trimmedDescription)
            }
        }

        private func look(_ node: some DeclGroupSyntax) {
            guard let clause = node.inheritanceClause, let place = Self.place(clause) else { return }
            let message = "ObservableObject is of Combine, which only Apple's platforms have"
            guard Self.isInReach(Syntax(node)) else {
                file.report(
                    ObservableObjectRule.name,
                    at: place,
                    message,
                    "An extension at the top level of the file cannot have the conformance. Move the class there, or "
                        + "put it under #if canImport(Combine)."
                )
                return
            }
            file.report(
                ObservableObjectRule.name,
                at: place,
                message,
                "The conformance is in an extension under #if canImport(Combine).",
                edits: Self.removal(of: place, from: clause) + condition(behind: Syntax(node))
            )
        }

        /// Whether an extension behind the outermost declaration can name a type and is compiled with it.
        private static func isInReach(_ node: Syntax) -> Bool {
            var isPrivate = false
            var isConditional = false
            var current: Syntax? = node
            while let item = current {
                // A local type.
                if item.is(CodeBlockSyntax.self) || item.is(ClosureExprSyntax.self) || item.is(AccessorBlockSyntax.self)
                {
                    return false
                }
                if item.is(IfConfigDeclSyntax.self) { isConditional = true }
                if let group = item.asProtocol((any DeclGroupSyntax).self) {
                    // A type in another one that is private to it, or that it has under a condition.
                    if isPrivate || isConditional { return false }
                    isPrivate = group.modifiers.contains { $0.name.text == "private" }
                }
                current = item.parent
            }
            return true
        }

        /// Removes a type from a list of inherited types, and the colon if the list becomes empty.
        private static func removal(of place: InheritedTypeSyntax, from clause: InheritanceClauseSyntax) -> [TextEdit] {
            let types = Array(clause.inheritedTypes)
            guard types.count > 1 else {
                let start = clause.colon.positionAfterSkippingLeadingTrivia.utf8Offset
                let before = clause.colon.position.utf8Offset
                return [TextEdit(before..<max(start, place.endPositionBeforeTrailingTrivia.utf8Offset), "")]
            }
            guard let index = types.firstIndex(where: { $0.id == place.id }) else { return [] }
            if index + 1 < types.count {
                let start = place.positionAfterSkippingLeadingTrivia.utf8Offset
                return [TextEdit(start..<types[index + 1].positionAfterSkippingLeadingTrivia.utf8Offset, "")]
            }
            let start = types[index - 1].type.endPositionBeforeTrailingTrivia.utf8Offset
            return [TextEdit(start..<place.endPositionBeforeTrailingTrivia.utf8Offset, "")]
        }

        /// The extension with the conformance, placed after the outermost declaration of the same condition.
        private func condition(behind node: Syntax) -> [TextEdit] {
            var outermost = node
            var current = node.parent
            while let parent = current, !parent.is(IfConfigDeclSyntax.self) {
                if parent.is(DeclSyntax.self) { outermost = parent }
                current = parent.parent
            }
            let newline = file.newline
            let end = outermost.endPositionBeforeTrailingTrivia.utf8Offset
            let attributes = Self.availability(of: node).map { $0 + newline }.joined()
            let declaration = "\(attributes)extension \(path.joined(separator: ".")): ObservableObject {}"
            let conformance = "#if canImport(Combine)\(newline)\(declaration)"
            return [TextEdit(at: end, "\(newline)\(newline)\(conformance)\(newline)#endif")]
        }

        /// The `@available` attributes of a type, or else of the nearest type around it that has some.
        private static func availability(of node: Syntax) -> [String] {
            var current: Syntax? = node
            while let item = current {
                current = item.parent
                guard let group = item.asProtocol((any DeclGroupSyntax).self) else { continue }
                let texts = group.attributes.compactMap { element -> String? in
                    guard case .attribute(let attribute) = element,
                        attribute.attributeName.trimmedDescription == "available"
                    else { return nil }
                    return attribute.trimmedDescription
                }
                if !texts.isEmpty { return texts }
            }
            return []
        }
    }
}
