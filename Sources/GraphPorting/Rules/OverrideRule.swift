// Overriding and overridden members in extensions: on other platforms they must be in the class body. Moves them to its
// end, even if it is in another file.
import SwiftParser
import SwiftSyntax

enum OverrideRule: PortingRule {
    static let name = "override"

    static func run(on files: [PortingFile], index: CodeIndex) {
        var moved: Set<SyntaxIdentifier> = []
        var unmoved: Set<SyntaxIdentifier> = []
        for group in index.groups where group.isExtension {
            for member in group.node.memberBlock.members where isOverride(member.decl) && !group.file.isLeftOut(member)
            {
                moved.insert(member.id)
                let isMoved = Move(member: member, group: group, index: index).run(
                    "an override in an extension needs the Objective-C runtime"
                )
                if !isMoved { unmoved.insert(member.id) }
            }
        }
        for group in index.groups where group.isClass || group.isExtension {
            for member in group.node.memberBlock.members where isOverride(member.decl) && !group.file.isLeftOut(member)
            {
                guard let (overriddenMember, owner) = overridden(member.decl, by: group, index),
                    moved.insert(overriddenMember.id).inserted
                else { continue }
                let isMoved = Move(member: overriddenMember, group: owner, index: index).run(
                    "it is overridden in \(group.name) in an extension, which needs the Objective-C runtime"
                )
                if !isMoved { unmoved.insert(overriddenMember.id) }
            }
        }
        removeEmpty(index, moved.subtracting(unmoved))
    }

    /// Removes extensions that have become empty.
    private static func removeEmpty(_ index: CodeIndex, _ moved: Set<SyntaxIdentifier>) {
        for group in index.groups where group.isExtension && group.node.inheritanceClause == nil {
            let members = group.node.memberBlock.members
            let file = group.file
            guard !members.isEmpty, members.allSatisfy({ moved.contains($0.id) }) else { continue }
            var start = file.attachedStart(of: Syntax(group.node))
            let end = file.lineEnd(group.node.endPositionBeforeTrailingTrivia.utf8Offset)
            let before = file.lineStart(max(0, start - 1))
            if start > 0, file.text(before..<start).allSatisfy(\.isWhitespace) { start = before }
            let removal = TextEdit(start..<end, "")
            let inner = file.edits.take(inside: start..<end)
            // Keep insertions at this offset, such as at the end of the file.
            _ = file.edits.add([removal] + inner.filter { $0.range.isEmpty && $0.range.lowerBound == end })
        }
    }

    private static func isOverride(_ node: DeclSyntax) -> Bool {
        // On other platforms an observer of keys overrides nothing: RuntimeCallRule reports it.
        if let function = node.as(FunctionDeclSyntax.self), function.name.text == "observeValue" { return false }
        return node.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains { $0.name.text == "override" }
            == true
    }

    /// The member of a superclass's extension that a member overrides.
    private static func overridden(
        _ node: DeclSyntax,
        by group: CodeIndex.Group,
        _ index: CodeIndex
    ) -> (MemberBlockItemSyntax, CodeIndex.Group)? {
        let signature =
            node.as(FunctionDeclSyntax.self).map(CodeIndex.signature)
            ?? node.as(VariableDeclSyntax.self)?.bindings.first?.pattern.trimmedDescription
        guard let signature else { return nil }
        let above = index.lineage(group.name).dropFirst()
        let match = (index.members[signature] ?? []).first { member in
            member.group.isExtension && above.contains(member.group.name)
        }
        guard let match, let item = match.node.parent?.as(MemberBlockItemSyntax.self) else { return nil }
        return (item, match.group)
    }

    /// A member to be moved into its class.
    private struct Move {
        let member: MemberBlockItemSyntax
        let group: CodeIndex.Group
        let index: CodeIndex

        /// Moves the member, or reports the reason to move it by hand; returns whether it was moved.
        func run(_ message: String) -> Bool {
            let file = group.file
            guard let target = index.declaration(ofClass: group.path), obstacle() == nil else {
                file.report(OverrideRule.name, at: member.decl, message, obstacle() ?? "")
                return false
            }
            let start = file.attachedStart(of: Syntax(member))
            let end = file.lineEnd(member.endPositionBeforeTrailingTrivia.utf8Offset)
            let range = start..<end
            let inner = file.edits.take(inside: range)
            // The move of a neighbor may have removed the blank line between them.
            let removal = [removed(range, in: file), range].map { [TextEdit($0, "")] }.first { file.edits.canAdd($0) }
            guard let removal else {
                _ = file.edits.add(inner)
                file.report(
                    OverrideRule.name,
                    at: member.decl,
                    message,
                    "Another rewriting is at this place. Move the override into the class \(group.name)."
                )
                return false
            }
            var declaration = EditList.apply(inner, to: file.bytes, in: range)
            declaration = withAccess(declaration)
            file.report(
                OverrideRule.name,
                at: member.decl,
                message,
                "It is in the class \(group.name)\(target.file === file ? "" : " in \(target.file.path)") now.",
                edits: removal
            )
            insert(declaration, into: target)
            return true
        }

        /// The reason to move the member by hand; nil if it can be moved.
        private func obstacle() -> String? {
            let name = group.name
            guard let target = index.declaration(ofClass: group.path) else {
                return index.generated[name] != nil
                    ? "The model has Xcode write the class \(name). Set its Codegen to Category/Extension, declare the "
                        + "class, and move the override into it."
                    : "The class \(name) is not declared in these files, or more than once. Move the override into it."
            }
            guard let node = group.node.as(ExtensionDeclSyntax.self), node.genericWhereClause == nil else {
                return "The extension has conditions. Move the override into the class \(name)."
            }
            if node.parent?.parent?.parent?.is(SourceFileSyntax.self) != true
                || member.parent?.parent?.is(MemberBlockSyntax.self) != true
            {
                return "It is under a condition. Move the override into the class \(name), under the same one."
            }
            let file = group.file
            let start = file.attachedStart(of: Syntax(member))
            let end = member.endPositionBeforeTrailingTrivia.utf8Offset
            guard file.beginsLine(start), file.endsLine(end) else {
                return "It shares its line with something else. Move the override into the class \(name)."
            }
            if target.file !== file, let privateMember = privateName() {
                return
                    "It uses \(privateMember), which is private to this file. Move the override into the class \(name), in "
                    + "\(target.file.path), and make \(privateMember) internal."
            }
            return nil
        }

        /// A file-private name that the member uses.
        private func privateName() -> String? {
            let names = PrivateNames.all(in: group.file)
            return member.tokens(viewMode: .sourceAccurate).first { names.contains($0.text) }?.text
        }

        /// Adds the access level of the extension, which members inherit there but not in the class.
        private func withAccess(_ declaration: String) -> String {
            let levels = ["public", "package", "internal", "fileprivate", "private", "open"]
            let outer = (group.node as? any WithModifiersSyntax)?.modifiers.first { levels.contains($0.name.text) }
            let modifiers = member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers
            guard let outer, let modifiers, !modifiers.contains(where: { levels.contains($0.name.text) }),
                let first = modifiers.first,
                outer.name.text != "private"
            else { return declaration }
            // Parse the text to find the modifier, as edits inside the member may have shifted it.
            let head = "class Type {\n"
            let tokens = Parser.parse(source: "\(head)\(declaration)\n}").tokens(viewMode: .sourceAccurate)
            let modifier = tokens.first { $0.text == first.name.text && $0.parent?.is(DeclModifierSyntax.self) == true }
            guard let modifier else { return declaration }
            let offset = modifier.positionAfterSkippingLeadingTrivia.utf8Offset - head.utf8.count
            let place = declaration.utf8.index(declaration.startIndex, offsetBy: offset)
            return declaration[..<place] + outer.name.text + " " + declaration[place...]
        }

        /// The range, extended by the blank line that would otherwise remain.
        private func removed(_ range: Range<Int>, in file: PortingFile) -> Range<Int> {
            let before = file.lineStart(max(0, range.lowerBound - 1))
            if range.lowerBound > 0, file.text(before..<range.lowerBound).allSatisfy(\.isWhitespace) {
                return before..<range.upperBound
            }
            let behind = file.lineEnd(range.upperBound)
            let isBlank = range.upperBound < behind && file.text(range.upperBound..<behind).allSatisfy(\.isWhitespace)
            return range.lowerBound..<(isBlank ? behind : range.upperBound)
        }

        private func insert(_ declaration: String, into target: CodeIndex.Group) {
            let file = target.file
            _ = file.edits.add([target.appending(declaration)])
            let missing = ImportRule.modules(of: group.file).subtracting(ImportRule.modules(of: file))
                .subtracting(AppleFrameworks.modules)
            ImportRule.add(missing.sorted(), to: file)
            ShimModules.addSystem(for: Syntax(member), to: file, index)
        }
    }
}
