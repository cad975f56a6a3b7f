// Chooses the declarations and statements of one file that AppleOnlyRule leaves out.
import SwiftSyntax

/// Processes a file's declarations, from the outermost to the innermost.
struct AppleOnlyPass {
    let file: PortingFile
    let index: CodeIndex
    let imported: Set<String>
    var names = LeftOutNames()

    /// A part to leave out.
    private struct Part {
        var node: Syntax
        var module: String
        var mention: String
    }

    private var presentation: Presentation {
        Presentation { [index, imported] name in
            !index.hasType(named: name) && AppleFrameworks.module(of: name, imported: imported) != nil
        }
    }

    mutating func run() {
        // Convert to an array first: filtering a syntax collection yields a new tree with different positions.
        let items = Array(file.tree.statements).filter { !$0.item.is(ImportDeclSyntax.self) }
        let parts = items.map { self.parts(of: Syntax($0.item)) }
        let isWhole =
            !items.isEmpty
            && zip(items, parts).allSatisfy { item, parts in
                parts.count == 1 && parts[0].node.id == Syntax(item.item).id
            }
        guard isWhole, let first = file.tree.statements.first else {
            parts.joined().forEach { leaveOut($0) }
            return
        }
        let module = Self.principal(parts.joined().map(\.module))
        let start = attachedStart(of: Syntax(first))
        let range = start..<file.bytes.count
        items.forEach { reportStack(in: Syntax($0.item), module: module) }
        file.report(
            AppleOnlyRule.name,
            at: first,
            "all that the file declares needs \(module), which only Apple's platforms have",
            "The whole file is left out if \(module) is missing.",
            edits: file.wrap(range, in: "canImport(\(module))")
        )
        file.leaveOut(range)
        for item in items { names.add(declaration: Syntax(item.item), enclosing: nil, module: module) }
    }

    // MARK: Deciding

    private func parts(of node: Syntax) -> [Part] {
        guard !file.isLeftOut(node) else { return [] }
        let mentions = Mentions.find(in: node, file: file, index: index, imported: imported)
        guard let first = mentions.first else { return [] }
        let wholeNode = Part(node: node, module: Self.principal(mentions.map(\.module)), mention: first.name)
        if let group = node.asProtocol((any DeclGroupSyntax).self) {
            let header = mentions.filter { !Syntax(group.memberBlock).contains($0.node) }
            if let mention = header.first {
                return servesViews(group, header) ? [wholeNode] : reportConformance(mention, of: node)
            }
            let members = group.memberBlock.members
            let inner = members.map { self.parts(of: Syntax($0.decl)) }
            let isWhole = zip(members, inner).allSatisfy { member, parts in
                parts.count == 1 && parts[0].node.id == Syntax(member.decl).id
            }
            // Leave out an extension that would become empty, but keep a class that other code may refer to.
            return isWhole && node.is(ExtensionDeclSyntax.self) ? [wholeNode] : Array(inner.joined())
        }
        if node.is(MacroExpansionDeclSyntax.self) || node.is(MacroExpansionExprSyntax.self) { return [wholeNode] }
        if let conditions = node.as(IfConfigDeclSyntax.self) { return parts(of: conditions, first) }
        if node.is(EnumCaseDeclSyntax.self) { return reportOnly(first) }
        let statements = mentions.map { LoneStatement.around($0.node, inside: node, in: file) }
        if statements.allSatisfy({ $0.map(presentation.isPureStatement) ?? false }) {
            var seen: Set<SyntaxIdentifier> = []
            return zip(statements, mentions).compactMap { statement, mention in
                guard let statement, seen.insert(statement.id).inserted else { return nil }
                return Part(node: statement, module: mention.module, mention: mention.name)
            }
        }
        // Leaving out a member with other effects would lose those effects.
        return node.is(DeclSyntax.self) && presentation.isPure(node) ? [wholeNode] : reportOnly(first)
    }

    /// The parts to leave out inside the file's own condition; the whole block if nothing else is in it.
    private func parts(of node: IfConfigDeclSyntax, _ first: Mentions.Mention) -> [Part] {
        var nodes: [Syntax] = []
        for clause in node.clauses {
            switch clause.elements {
            case .statements(let items)?: nodes += items.map { Syntax($0.item) }
            case .decls(let members)?: nodes += members.map { Syntax($0.decl) }
            case nil: break
            default: return reportOnly(first)
            }
        }
        let active = nodes.filter { !file.isLeftOut($0) && !$0.is(ImportDeclSyntax.self) }
        let inner = active.map { parts(of: $0) }
        let isWhole =
            active.count == nodes.count
            && zip(active, inner).allSatisfy { node, parts in parts.count == 1 && parts[0].node.id == node.id }
        guard isWhole, let part = inner.first?.first else { return Array(inner.joined()) }
        return [Part(node: Syntax(node), module: part.module, mention: part.mention)]
    }

    /// Whether a type is a view, serves views, or has a missing superclass.
    private func servesViews(_ group: any DeclGroupSyntax, _ header: [Mentions.Mention]) -> Bool {
        if group.is(ExtensionDeclSyntax.self) || header.contains(where: { AppleFrameworks.views.contains($0.module) }) {
            return true
        }
        guard group.is(ClassDeclSyntax.self), let first = group.inheritanceClause?.inheritedTypes.first else {
            return false
        }
        return header.contains { Syntax(first).contains($0.node) && !$0.name.hasSuffix("Delegate") }
    }

    private func reportOnly(_ mention: Mentions.Mention) -> [Part] {
        file.report(
            AppleOnlyRule.name,
            at: mention.node,
            "\(mention.name) is of \(mention.module), which only Apple's platforms have",
            "Put the code that needs it under #if canImport(\(mention.module)), with something else in the #else part."
        )
        return []
    }

    private func reportConformance(_ mention: Mentions.Mention, of node: Syntax) -> [Part] {
        file.report(
            AppleOnlyRule.name,
            at: mention.node,
            "\(mention.name) is of \(mention.module), which only Apple's platforms have",
            "Move the conformance, with the members that it needs, into an extension under "
                + "#if canImport(\(mention.module))."
        )
        return []
    }

    /// Reports a Core Data stack that is left out together with its enclosing view type.
    private func reportStack(in node: Syntax, module: String) {
        guard !node.is(ExtensionDeclSyntax.self), let group = node.asProtocol((any DeclGroupSyntax).self),
            let member = group.memberBlock.members.first(where: { StackNames.areMentioned(in: Syntax($0.decl)) })
        else { return }
        let name = node.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "the type"
        file.report(
            AppleOnlyRule.name,
            at: member.decl,
            "the Core Data stack in \(name) is left out with it if \(module) is missing",
            "Move the stack into a type of its own, which \(name) uses."
        )
    }

    // MARK: Leaving out

    private mutating func leaveOut(_ part: Part) {
        let range = attachedStart(of: part.node)..<part.node.endPositionBeforeTrailingTrivia.utf8Offset
        let isStatement = part.node.is(CodeBlockItemSyntax.self)
        reportStack(in: part.node, module: part.module)
        file.leaveOut(range)
        file.report(
            AppleOnlyRule.name,
            at: part.node,
            "\(part.mention) is of \(part.module), which only Apple's platforms have",
            "The \(isStatement ? "statement" : "declaration") is left out if \(part.module) is missing.",
            edits: file.wrap(
                range,
                in: "canImport(\(part.module))",
                otherwise: LoneStatement.replacement(of: part.node, in: file)
            )
        )
        if !isStatement {
            names.add(declaration: part.node, enclosing: part.node.enclosingType, module: part.module)
        }
    }

    /// The offset at which a declaration starts, including the comments directly above it.
    private func attachedStart(of node: Syntax) -> Int {
        file.attachedStart(of: node)
    }

    /// The module to test in the condition: the one mentioned most often.
    private static func principal(_ modules: [String]) -> String {
        let counts = Dictionary(modules.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "ObjectiveC"
    }
}

extension Syntax {
    /// Whether this node contains another one.
    func contains(_ node: Syntax) -> Bool {
        position <= node.position && node.endPosition <= endPosition
    }
}
