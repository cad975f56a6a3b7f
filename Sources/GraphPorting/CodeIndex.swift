// The types and members of one module, with their files. Built by Porter before the rules run; queried by the rules.
import SwiftSyntax

/// The declarations of a module.
struct CodeIndex {
    /// A declaration of a type or an extension.
    struct Group {
        /// The names, starting with the outermost type.
        var path: [String]
        var node: any DeclGroupSyntax
        var file: PortingFile
        var isExtension: Bool
        var isClass: Bool

        var name: String { path.last ?? "" }
        var inheritance: [String] {
            node.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
        }

        var isPublic: Bool {
            (node as? any WithModifiersSyntax)?.modifiers.contains { ["public", "open"].contains($0.name.text) } == true
        }

        /// The indentation of the first member, or the usual one.
        var memberIndentation: String {
            guard let first = node.memberBlock.members.first else { return indentation + "    " }
            return file.indentation(first.positionAfterSkippingLeadingTrivia.utf8Offset)
        }

        private var indentation: String { file.indentation(node.positionAfterSkippingLeadingTrivia.utf8Offset) }

        /// The edit that adds an indented declaration to the end of the body.
        func appending(_ declaration: String) -> TextEdit {
            let offset = node.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset
            let newline = file.newline
            let body = declaration.hasSuffix("\n") ? declaration : declaration + newline
            if file.beginsLine(offset) {
                return TextEdit(at: file.lineStart(offset), (node.memberBlock.members.isEmpty ? "" : newline) + body)
            }
            return TextEdit(at: offset, newline + body + indentation)
        }
    }

    /// A function or property of a type.
    struct Member {
        var group: Group
        var node: DeclSyntax
        /// The name with the labels, as in `save(to:)`.
        var signature: String
        /// The types of a function's parameters.
        var parameters: [String]
    }

    private(set) var groups: [Group] = []
    private(set) var members: [String: [Member]] = [:]
    /// The names of all types, for fast lookup.
    private var types: Set<String> = []
    /// The first inherited type of each class.
    private var superclasses: [String: String] = [:]
    /// Superclasses of the classes that the module's models have Xcode generate.
    let generated: [String: String]
    /// The replacement for Combine on other platforms.
    var combine = CombineUse.unobserved
    /// Selectors of the policy methods that mapping models call.
    var policySelectors: Set<String> = []
    /// The ends, as `Cars` in `addToCars`, of the methods for sets that Xcode generates.
    var generatedSets: Set<String> = []
    /// The signatures of the members that any module of the code base declares.
    var allSignatures: Set<String> = []

    init(_ files: [PortingFile], generated: [String: String]) {
        self.generated = generated
        for file in files where file.isParsed {
            let reader = GroupReader(file)
            reader.walk(file.tree)
            groups += reader.groups
        }
        for group in groups {
            if !group.isExtension {
                types.insert(group.name)
                if group.isClass, superclasses[group.name] == nil { superclasses[group.name] = group.inheritance.first }
            }
            for member in group.node.memberBlock.members {
                for indexedMember in Self.members(member.decl, group) {
                    members[indexedMember.signature, default: []].append(indexedMember)
                }
            }
        }
    }

    /// The declaration of a class, if there is exactly one.
    func declaration(ofClass path: [String]) -> Group? {
        let matches = groups.filter { $0.path == path && $0.isClass && !$0.isExtension }
        return matches.count == 1 ? matches[0] : nil
    }

    func hasType(named name: String) -> Bool {
        generated[name] != nil || types.contains(name)
    }

    /// The names of a class and its known superclasses, starting with the class itself.
    func lineage(_ name: String) -> [String] {
        var chain = [name]
        while let last = chain.last, chain.count < 64 {
            guard let next = superclasses[last] ?? generated[last], !chain.contains(next) else { break }
            chain.append(next)
        }
        return chain
    }

    func isManaged(_ name: String) -> Bool { lineage(name).contains("NSManagedObject") }

    /// The members with a name and labels in a type, its extensions and its superclasses.
    func members(_ signature: String, of name: String) -> [Member] {
        let names = Set(lineage(name))
        return (members[signature] ?? []).filter { names.contains($0.group.name) }
    }

    private static func members(_ node: DeclSyntax, _ group: Group) -> [Member] {
        if let function = node.as(FunctionDeclSyntax.self) {
            let parameters = function.signature.parameterClause.parameters
            return [
                Member(
                    group: group,
                    node: node,
                    signature: signature(function),
                    parameters: parameters.map { $0.type.trimmedDescription }
                )
            ]
        }
        guard let variable = node.as(VariableDeclSyntax.self) else { return [] }
        return variable.bindings.compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { return nil }
            return Member(group: group, node: node, signature: name, parameters: [])
        }
    }

    /// A function's name with its labels.
    static func signature(_ node: FunctionDeclSyntax) -> String {
        let labels = node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
        return "\(node.name.text)(\(labels))"
    }
}
