// Code of frameworks that only Apple has: whole files of views, single declarations, or single statements go under
// `#if canImport(…)`. Runs first, as the other rules need not look at what is left out.
import SwiftSyntax

enum AppleOnlyRule: PortingRule {
    static let name = "apple-only"

    static func run(on files: [PortingFile], index: CodeIndex) {
        var names = LeftOutNames()
        for file in files {
            let imported = AppleFrameworks.closure(ImportRule.modules(of: file))
            var pass = AppleOnlyPass(file: file, index: index, imported: imported)
            pass.run()
            names.merge(pass.names)
        }
        for file in files { names.reportUses(in: file, index: index) }
    }
}

/// One file's declarations, from the outside in.
private struct AppleOnlyPass {
    let file: PortingFile
    let index: CodeIndex
    let imported: Set<String>
    var names = LeftOutNames()

    /// What is to be left out.
    private struct Part {
        var node: Syntax
        var module: String
        var mention: String
    }

    mutating func run() {
        // An array first: a filtered collection of syntax is a tree of its own, with other positions.
        let items = Array(file.tree.statements).filter { !$0.item.is(ImportDeclSyntax.self) }
        let parts = items.map { self.parts(of: Syntax($0.item), enclosing: nil) }
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
        file.report(
            AppleOnlyRule.name,
            at: first,
            "all that the file declares needs \(module), which only Apple's platforms have",
            "The whole file is left out where \(module) is missing.",
            edits: file.wrap(range, in: "canImport(\(module))")
        )
        file.leaveOut(range)
        for item in items { names.add(declaration: Syntax(item.item), enclosing: nil, module: module) }
    }

    // MARK: Deciding

    private func parts(of node: Syntax, enclosing: String?) -> [Part] {
        guard !file.isLeftOut(node) else { return [] }
        let mentions = Mentions.find(in: node, file: file, index: index, imported: imported)
        guard let first = mentions.first else { return [] }
        let whole = Part(node: node, module: Self.principal(mentions.map(\.module)), mention: first.name)
        if let group = node.asProtocol((any DeclGroupSyntax).self) {
            let header = mentions.filter { !Syntax(group.memberBlock).contains($0.node) }
            if !header.isEmpty { return [whole] }
            let members = group.memberBlock.members
            let name =
                (node.asProtocol((any NamedDeclSyntax).self))?.name.text
                ?? node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            let inner = members.map { self.parts(of: Syntax($0.decl), enclosing: name) }
            let isWhole = zip(members, inner).allSatisfy { member, parts in
                parts.count == 1 && parts[0].node.id == Syntax(member.decl).id
            }
            // What is empty without them is left out too, but not a class that others may name.
            return isWhole && node.is(ExtensionDeclSyntax.self) ? [whole] : Array(inner.joined())
        }
        if node.is(EnumCaseDeclSyntax.self) || node.is(IfConfigDeclSyntax.self) { return reportOnly(first) }
        let statements = mentions.map { LoneStatement.around($0.node, inside: node, in: file) }
        if statements.allSatisfy({ $0 != nil }) {
            var seen: Set<SyntaxIdentifier> = []
            return zip(statements, mentions).compactMap { statement, mention in
                guard let statement, seen.insert(statement.id).inserted else { return nil }
                return Part(node: statement, module: mention.module, mention: mention.name)
            }
        }
        // A statement at the top of a script has nothing around it that could be left out with it.
        if !node.is(DeclSyntax.self), !node.is(MacroExpansionExprSyntax.self) { return reportOnly(first) }
        return [whole]
    }

    private func reportOnly(_ mention: Mentions.Mention) -> [Part] {
        file.report(
            AppleOnlyRule.name,
            at: mention.node,
            "\(mention.name) is of \(mention.module), which only Apple's platforms have",
            "Put what needs it under #if canImport(\(mention.module)), with something else in the #else part."
        )
        return []
    }

    // MARK: Leaving out

    private mutating func leaveOut(_ part: Part) {
        let range = attachedStart(of: part.node)..<part.node.endPositionBeforeTrailingTrivia.utf8Offset
        let isStatement = part.node.is(CodeBlockItemSyntax.self)
        file.report(
            AppleOnlyRule.name,
            at: part.node,
            "\(part.mention) is of \(part.module), which only Apple's platforms have",
            "The \(isStatement ? "statement" : "declaration") is left out where \(part.module) is missing.",
            edits: file.wrap(range, in: "canImport(\(part.module))")
        )
        file.leaveOut(range)
        if !isStatement {
            names.add(declaration: part.node, enclosing: Self.enclosingType(of: part.node), module: part.module)
        }
    }

    private static func enclosingType(of node: Syntax) -> String? {
        var current = node.parent
        while let parent = current {
            if let named = parent.as(ExtensionDeclSyntax.self) { return named.extendedType.trimmedDescription }
            if parent.asProtocol((any DeclGroupSyntax).self) != nil {
                return parent.asProtocol((any NamedDeclSyntax).self)?.name.text
            }
            current = parent.parent
        }
        return nil
    }

    /// Where a declaration begins with the comments right above it.
    private func attachedStart(of node: Syntax) -> Int {
        file.attachedStart(of: node)
    }

    /// The module that a condition asks for: the one that is mentioned most.
    private static func principal(_ modules: [String]) -> String {
        let counts = Dictionary(modules.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "ObjectiveC"
    }
}

extension Syntax {
    /// Whether a node is inside of this one.
    func contains(_ node: Syntax) -> Bool {
        position <= node.position && node.endPosition <= endPosition
    }
}

extension PortingFile {
    /// The offset where a declaration begins, with the comments right above it.
    func attachedStart(of node: Syntax) -> Int {
        var offset = node.position.utf8Offset
        var start = offset
        var lines = 0
        for piece in node.leadingTrivia.pieces {
            let length = piece.sourceLength.utf8Length
            switch piece {
            case .newlines(let count), .carriageReturnLineFeeds(let count):
                lines += count
                // Behind a blank line something else begins.
                if lines > 1 || start == node.position.utf8Offset { start = offset + length }
            case .spaces, .tabs:
                break
            default:
                // A comment that stands behind something else on its line belongs to that.
                if lines == 0, offset == node.position.utf8Offset, !beginsLine(offset) { start = offset + length }
                lines = 0
            }
            offset += length
        }
        // From the beginning of the line, where nothing else stands before it.
        let token = node.positionAfterSkippingLeadingTrivia.utf8Offset
        var first = start
        while first < token, bytes[first] == 32 || bytes[first] == 9 { first += 1 }
        return beginsLine(first) ? lineStart(first) : token
    }
}
