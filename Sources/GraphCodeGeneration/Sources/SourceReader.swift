// Reads the declarations of one Swift file that the generator needs. Called by TargetGenerator for every file of the
// target. SourceIndex and TypeResolver resolve the names.
import SwiftParser
import SwiftSyntax

/// Collects declarations from syntax.
package struct SourceReader {
    /// The scope in which declarations are found.
    struct Scope {
        var enclosing: [String] = []
        var isInExtension = false
        var extensionDepth = 0
        var defaultAccess = Access.internal
        /// Whether members are `@objc` without an attribute of their own.
        var isObjectiveC = false
        /// Whether an attribute of the extension isolates its members to an actor.
        var isIsolated = false
        /// Whether the extension is deprecated or unavailable, and with it its members.
        var isUnavailable = false
        var conditions: [String] = []

        /// Whether a member can be used from anywhere, as far as the attributes of its scope and its own allow.
        func allowsUse(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax) -> Bool {
            !isUnavailable && !attributes.isUnavailable && !attributes.isIsolated
                && (!isIsolated || modifiers.contains { $0.name.text == "nonisolated" })
        }
    }

    var result = SourceDeclarations()
    private let file: String
    private let converter: SourceLocationConverter

    private init(file: String, tree: SourceFileSyntax) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - text: The file's text.
    ///   - file: Its path, for messages and for the discriminators of private declarations.
    /// - Returns: Its types, extensions and members; function bodies are searched for classes with @NSManaged members
    ///   only.
    package static func read(_ text: String, file: String) -> SourceDeclarations {
        let tree = Parser.parse(source: text)
        var reader = SourceReader(file: file, tree: tree)
        for item in tree.statements { reader.visit(Syntax(item.item), Scope()) }
        if text.contains("@NSManaged") { reader.readLocalClasses(tree) }
        return reader.result
    }

    private mutating func readLocalClasses(_ tree: SourceFileSyntax) {
        let reader = LocalClassReader { [file, converter] node in
            let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
            return SourceLocation(file: file, line: line)
        }
        reader.walk(tree)
        result.localClasses = reader.result
    }

    mutating func visit(_ node: Syntax, _ scope: Scope) {
        switch node.as(SyntaxEnum.self) {
        case .importDecl(let node):
            let text = node.trimmedDescription
            result.imports[file, default: []].append(.init(text: text, condition: condition(scope)))
        case .ifConfigDecl(let node):
            visitConditions(node, scope)
        case .classDecl(let node):
            visitType(node, .nominal(.class), node.genericParameterClause, scope)
        case .actorDecl(let node):
            visitType(node, .nominal(.class), node.genericParameterClause, scope)
        case .structDecl(let node):
            visitType(node, .nominal(.structure), node.genericParameterClause, scope)
        case .enumDecl(let node):
            visitType(node, .nominal(.enumeration), node.genericParameterClause, scope)
        case .protocolDecl(let node):
            addType(node.name, .nominal(.protocol), node, scope, inheritance: node.inheritanceClause, isGeneric: false)
        case .typeAliasDecl(let node):
            addType(
                node.name,
                .alias(TypeExpression(node.initializer.value)),
                node,
                scope,
                inheritance: nil,
                isGeneric: node.genericParameterClause != nil
            )
        case .extensionDecl(let node):
            visitExtension(node, scope)
        case .variableDecl(let node):
            visitVariable(node, scope)
        case .functionDecl(let node):
            visitFunction(node, scope)
        default:
            break
        }
    }

    func context(of node: some SyntaxProtocol, access: Access, _ scope: Scope) -> DeclarationContext {
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        return DeclarationContext(
            location: SourceLocation(file: file, line: line),
            enclosing: scope.enclosing,
            isInExtension: scope.isInExtension,
            extensionDepth: scope.extensionDepth,
            access: access,
            condition: condition(scope)
        )
    }

    private func condition(_ scope: Scope) -> String? {
        guard !scope.conditions.isEmpty else { return nil }
        return scope.conditions.count == 1
            ? scope.conditions[0] : scope.conditions.map { "(\($0))" }.joined(separator: " && ")
    }

    private mutating func visitConditions(_ node: IfConfigDeclSyntax, _ scope: Scope) {
        /// The undecided conditions of earlier clauses: a later clause is compiled only if they are false.
        var earlier: [String] = []
        for clause in node.clauses {
            var inner = scope
            inner.conditions += earlier.map { "!(\($0))" }
            var value = ConditionValue.yes
            if let expression = clause.condition {
                value = PlatformCondition.value(of: expression)
                if value == .unknown {
                    inner.conditions.append(expression.trimmedDescription)
                    earlier.append(expression.trimmedDescription)
                }
            }
            if value != .no, let elements = clause.elements { visit(elements, inner) }
            if value == .yes { return }
        }
    }

    private mutating func visit(_ elements: IfConfigClauseSyntax.Elements, _ scope: Scope) {
        switch elements {
        case .statements(let items): for item in items { visit(Syntax(item.item), scope) }
        case .decls(let members): for member in members { visit(Syntax(member.decl), scope) }
        default: break
        }
    }

    private mutating func visitType(
        _ node: some DeclGroupSyntax & NamedDeclSyntax & WithAttributesSyntax & WithModifiersSyntax,
        _ kind: DeclaredType.Kind,
        _ generics: GenericParameterClauseSyntax?,
        _ scope: Scope
    ) {
        addType(node.name, kind, node, scope, inheritance: node.inheritanceClause, isGeneric: generics != nil)
        var inner = scope
        inner.enclosing.append(node.name.plainText)
        inner.isInExtension = false
        inner.isIsolated = false
        inner.defaultAccess = .internal
        inner.isObjectiveC = node.attributes.contains("objcMembers")
        for member in node.memberBlock.members { visit(Syntax(member.decl), inner) }
    }

    private mutating func addType(
        _ name: TokenSyntax,
        _ kind: DeclaredType.Kind,
        _ node: some DeclSyntaxProtocol & WithAttributesSyntax & WithModifiersSyntax,
        _ scope: Scope,
        inheritance: InheritanceClauseSyntax?,
        isGeneric: Bool
    ) {
        let access = node.modifiers.access ?? scope.defaultAccess
        result.types.append(
            DeclaredType(
                context: context(of: node, access: access, scope),
                name: name.plainText,
                kind: kind,
                inheritance: inheritance?.inheritedTypes.map { TypeExpression($0.type) } ?? [],
                isGeneric: isGeneric,
                objectiveCName: node.attributes.objectiveCName,
                isIsolated: node.attributes.isIsolated
            )
        )
    }

    private mutating func visitExtension(_ node: ExtensionDeclSyntax, _ scope: Scope) {
        guard let path = TypeExpression(node.extendedType).path else { return }
        let access = node.modifiers.access ?? .internal
        var inner = scope
        inner.enclosing = path
        inner.isInExtension = true
        inner.extensionDepth = path.count
        // A private extension at file scope makes its members private to the file.
        inner.defaultAccess = access == .private ? .fileprivate : access
        inner.isObjectiveC = node.attributes.contains("objc")
        inner.isIsolated = node.attributes.isIsolated
        inner.isUnavailable = node.attributes.isUnavailable
        result.extensions.append(
            DeclaredExtension(
                context: context(of: node, access: access, scope),
                path: path,
                inheritance: node.inheritanceClause?.inheritedTypes.map { TypeExpression($0.type) } ?? []
            )
        )
        for member in node.memberBlock.members { visit(Syntax(member.decl), inner) }
    }
}
