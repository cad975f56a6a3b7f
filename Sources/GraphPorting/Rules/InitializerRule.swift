// Initializers of managed objects, stores, coordinators and value transformers: on other platforms the one that the
// framework calls is required, so a class with its own designated initializers must repeat it.
import SwiftSyntax

enum InitializerRule: PortingRule {
    static let name = "required-init"

    /// A framework class whose initializer is required.
    private struct Base {
        var name: String
        /// The labels of the initializer's parameters.
        var labels: String
        var declaration: String
        var call: String
    }

    private static var bases: [Base] {
        [
            Base(
                name: "NSManagedObject",
                labels: "entity:insertInto:",
                declaration: "init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?)",
                call: "super.init(entity: entity, insertInto: context)"
            ), Base(name: "ValueTransformer", labels: "", declaration: "init()", call: "super.init()"),
            Base(name: "NSEntityMigrationPolicy", labels: "", declaration: "init()", call: "super.init()"),
            Base(
                name: "NSPersistentStoreCoordinator",
                labels: "managedObjectModel:",
                declaration: "init(managedObjectModel model: NSManagedObjectModel)",
                call: "super.init(managedObjectModel: model)"
            ),
        ] + ["NSPersistentStore", "NSAtomicStore", "NSIncrementalStore"].map(store)
    }

    private static func store(_ name: String) -> Base {
        Base(
            name: name,
            labels: "persistentStoreCoordinator:configurationName:at:options:",
            declaration: "init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, "
                + "configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil)",
            call: "super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)"
        )
    }

    static func run(on files: [PortingFile], index: CodeIndex) {
        for group in index.groups where group.isClass && !group.isExtension && !group.file.isLeftOut(group.node) {
            let lineage = index.lineage(group.name)
            guard let base = bases.first(where: { lineage.contains($0.name) }) else { continue }
            look(at: group, base, Array(lineage.dropFirst()), index)
        }
    }

    private static func look(at group: CodeIndex.Group, _ base: Base, _ above: [String], _ index: CodeIndex) {
        let initializers = initializers(of: group)
        if let ownInitializer = initializers.first(where: { labels($0) == base.labels }) {
            require(ownInitializer, base, in: group.file)
        } else if let designated = initializers.first(where: { !isConvenience($0) }) {
            addInitializer(to: group, base, after: designated, isRequiredAbove: declares(base, above, index))
        }
    }

    /// Marks an initializer of the framework's form as required.
    private static func require(_ initializer: InitializerDeclSyntax, _ base: Base, in file: PortingFile) {
        let modifiers = initializer.modifiers
        if modifiers.contains(where: { $0.name.text == "required" }) { return }
        // Without the word, a superclass has designated initializers of its own and does not inherit this one.
        let word = modifiers.first { $0.name.text == "override" }
        let start = (word.map { Syntax($0) } ?? Syntax(initializer.initKeyword)).positionAfterSkippingLeadingTrivia
        // A required initializer must be as accessible as its class. A filtered syntax list would be a tree of its own,
        // with other positions.
        let hiding = modifiers.compactMap { modifier -> TextEdit? in
            guard ["private", "fileprivate"].contains(modifier.name.text) else { return nil }
            let start = modifier.positionAfterSkippingLeadingTrivia.utf8Offset
            return TextEdit(start..<modifier.endPosition.utf8Offset, "")
        }
        file.report(
            name,
            at: initializer,
            "this initializer of \(base.name) is required off Apple",
            "It is required now, which all platforms take\(hiding.isEmpty ? "" : ", and no longer private").",
            edits: hiding + [TextEdit(at: start.utf8Offset, "required ")]
        )
    }

    /// Whether a superclass in the program declares the initializer, which is then required on all platforms.
    private static func declares(_ base: Base, _ above: [String], _ index: CodeIndex) -> Bool {
        index.groups.contains { candidate in
            above.contains(candidate.name) && candidate.isClass
                && initializers(of: candidate).contains { labels($0) == base.labels }
        }
    }

    /// Repeats the framework's initializer after a designated one, which keeps the class from inheriting it.
    private static func addInitializer(
        to group: CodeIndex.Group,
        _ base: Base,
        after designated: InitializerDeclSyntax,
        isRequiredAbove: Bool
    ) {
        let file = group.file
        let message =
            "the class \(group.name) has a designated initializer of its own and does not inherit "
            + "init(\(base.labels)), which is required off Apple"
        guard file.endsLine(designated.endPositionBeforeTrailingTrivia.utf8Offset) else {
            file.report(name, at: designated, message, "Declare required \(base.declaration) in the class.")
            return
        }
        let access = group.isPublic ? "public " : ""
        let call = uninitialized(group) ? "fatalError(\"\(group.name) has another initializer.\")" : base.call
        let inner = group.memberIndentation
        var lines = [
            "\(inner)\(access)required \(isRequiredAbove ? "override " : "")\(base.declaration) {",
            "\(inner)    \(call)",
            "\(inner)}",
        ]
        if !isRequiredAbove { lines = ["\(inner)#if !canImport(ObjectiveC)"] + lines + ["\(inner)#endif"] }
        let end = file.lineEnd(designated.endPositionBeforeTrailingTrivia.utf8Offset)
        file.report(
            name,
            at: designated,
            message,
            "The class repeats it, for other platforms.",
            edits: [TextEdit(at: end, file.newline + lines.joined(separator: file.newline) + file.newline)]
        )
    }

    private static func isConvenience(_ initializer: InitializerDeclSyntax) -> Bool {
        initializer.modifiers.contains { $0.name.text == "convenience" }
    }

    /// The initializers of a class that other platforms compile.
    private static func initializers(of group: CodeIndex.Group) -> [InitializerDeclSyntax] {
        // Those under a condition too: this rule may have written them.
        let direct = group.node.memberBlock.members.map(\.decl)
        let conditional = direct.compactMap { $0.as(IfConfigDeclSyntax.self) }.flatMap(\.clauses).compactMap(\.elements)
        let inner = conditional.flatMap { elements -> [DeclSyntax] in
            if case .decls(let members) = elements { members.map(\.decl) } else { [] }
        }
        return (direct + inner).compactMap { $0.as(InitializerDeclSyntax.self) }.filter { !group.file.isLeftOut($0) }
    }

    private static func labels(_ node: InitializerDeclSyntax) -> String {
        node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
    }

    /// Whether a stored property is set only by the initializers.
    private static func uninitialized(_ group: CodeIndex.Group) -> Bool {
        group.node.memberBlock.members.contains { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self),
                !variable.modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) }),
                !variable.attributes.contains(where: { $0.trimmedDescription == "@NSManaged" })
            else { return false }
            let isConstant = variable.bindingSpecifier.text == "let"
            return variable.bindings.contains { binding in
                guard binding.initializer == nil, isStored(binding) else { return false }
                let type = binding.typeAnnotation?.type
                let isOptional =
                    type?.is(OptionalTypeSyntax.self) == true
                    || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
                return isConstant || !isOptional
            }
        }
    }

    private static func isStored(_ binding: PatternBindingSyntax) -> Bool {
        guard let block = binding.accessorBlock else { return true }
        guard case .accessors(let accessors) = block.accessors else { return false }
        return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}
