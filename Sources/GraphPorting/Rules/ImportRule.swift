// Wraps imports of Apple-only modules in `#if canImport(…)`, with their replacement on other platforms; imports their
// re-exported modules explicitly, and adds modules that are separate on other platforms.
import SwiftSyntax

enum ImportRule: PortingRule {
    static let name = "import"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { run(on: file, index) }
    }

    /// The modules that a file imports, conditionally or not.
    static func modules(of file: PortingFile) -> Set<String> {
        Set(imports(of: file).map { module($0) })
    }

    /// Whether a file has another import under the condition that leaves out one of the modules.
    static func hasReplacement(for modules: Set<String>, in file: PortingFile) -> Bool {
        imports(of: file).contains { node in
            guard modules.contains(module(node)), file.isLeftOut(node), let clause = node.clause,
                let clauses = clause.parent?.as(IfConfigClauseListSyntax.self)
            else { return false }
            return clauses.contains { other in
                guard other != clause, case .statements(let items) = other.elements else { return false }
                return items.contains { $0.item.is(ImportDeclSyntax.self) }
            }
        }
    }

    private static func run(on file: PortingFile, _ index: CodeIndex) {
        let all = imports(of: file).filter { !file.isLeftOut($0) }
        let present = Set(all.map(module)).subtracting(AppleFrameworks.modules)
        var isFoundationNeeded = present.isDisjoint(with: ["Foundation", "CoreData", "ManagedGraph"])
        let needsCoreData =
            !present.contains("CoreData") && !present.contains("ManagedGraph")
            && CoreDataNames.areMentioned(in: file)
        var added: Set<String> = []
        var importsCoreData = false
        for node in all where AppleFrameworks.modules.contains(module(node)) {
            let name = module(node)
            let range = file.attachedStart(of: Syntax(node))..<node.endPositionBeforeTrailingTrivia.utf8Offset
            var edits: [TextEdit] = []
            if isFoundationNeeded, node.isAtTop {
                // Every Apple framework re-exports Foundation; Cocoa also re-exports Core Data.
                let extra = needsCoreData ? "CoreData" : "Foundation"
                let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
                if file.beginsLine(start) {
                    edits = [
                        TextEdit(at: file.lineStart(start), "\(file.indentation(start))import \(extra)\(file.newline)")
                    ]
                    importsCoreData = needsCoreData
                }
                isFoundationNeeded = false
            }
            let token = node.positionAfterSkippingLeadingTrivia.utf8Offset
            let replacement = ShimModules.module(for: name, in: file, index)
            file.report(
                Self.name,
                at: node,
                "\(name) is there on Apple's platforms only",
                "The import is under #if canImport(\(name))"
                    + (replacement.map { ", and \($0) is imported elsewhere." } ?? "."),
                edits: edits
                    + file.wrap(
                        max(token, range.lowerBound)..<range.upperBound,
                        in: "canImport(\(name))",
                        // `@_exported` and `public` make the names visible in other files.
                        otherwise: replacement.map {
                            "\(node.attributes.trimmedDescription) \(node.modifiers.trimmedDescription) import \($0)"
                                .split(separator: " ").joined(separator: " ")
                        }
                    )
            )
            if let replacement { added.insert(replacement) }
        }
        importWholeModules(in: file, all)
        if present.isDisjoint(with: ["CoreData", "ManagedGraph"]), !importsCoreData {
            addCoreData(to: file, all, index)
        }
        addObservation(to: file, all, index)
        addSeparateModules(to: file, all)
        ShimModules.addMissing(to: file, all, index, without: added)
    }

    /// Imports Core Data in a file that uses its names: on Apple's platforms other modules and headers export it.
    private static func addCoreData(to file: PortingFile, _ all: [ImportDeclSyntax], _ index: CodeIndex) {
        if let use = CoreDataNames.firstMention(in: file, index) { add("CoreData", to: file, all, for: use) }
    }

    /// Imports Observation in a file that uses its names, which Apple's Foundation and SwiftUI export.
    private static func addObservation(to file: PortingFile, _ all: [ImportDeclSyntax], _ index: CodeIndex) {
        if !modules(of: file).contains("Observation"), let use = ObservationNames.firstUse(in: file, index) {
            add("Observation", to: file, all, for: use)
        }
    }

    /// Imports a module that is available everywhere, and that no other module exports off Apple.
    private static func add(
        _ module: String,
        to file: PortingFile,
        _ all: [ImportDeclSyntax],
        for use: TokenSyntax
    ) {
        guard let first = file.tree.statements.first else { return }
        let last = all.last(where: \.isAtTop)
        let place =
            last.map { file.lineEnd($0.endPositionBeforeTrailingTrivia.utf8Offset) }
            ?? file.lineStart(file.attachedStart(of: Syntax(first)))
        file.report(
            name,
            at: use,
            "\(use.text) is declared by the module \(module) off Apple, which no other module exports",
            "The module is imported.",
            edits: [TextEdit(at: place, "import \(module)\(file.newline)" + (last == nil ? file.newline : ""))]
        )
    }

    /// Imports modules in place of their submodules, which are the headers of Objective-C.
    private static func importWholeModules(in file: PortingFile, _ all: [ImportDeclSyntax]) {
        for node in all where ["CoreData", "Foundation"].contains(module(node)) {
            guard node.path.count > 1, node.importKindSpecifier == nil else { continue }
            let name = module(node)
            file.report(
                Self.name,
                at: node,
                "\(name) has submodules on Apple's platforms only",
                "The module is imported, which declares the same.",
                edits: [TextEdit(replacing: node.path, name)]
            )
        }
    }

    /// Adds imports of networking and XML, which are separate modules on other platforms.
    private static func addSeparateModules(to file: PortingFile, _ all: [ImportDeclSyntax]) {
        let imported = modules(of: file)
        for (module, names) in separate where !imported.contains(module) {
            guard let use = NameReader.first(of: names, in: file),
                let last = all.last(where: \.isAtTop)
            else { continue }
            let end = file.lineEnd(last.endPositionBeforeTrailingTrivia.utf8Offset)
            let newline = file.newline
            file.report(
                name,
                at: use,
                "\(use.text) is declared by the module \(module) off Apple",
                "The module is imported if it is available.",
                edits: [
                    TextEdit(at: end, "#if canImport(\(module))\(newline)import \(module)\(newline)#endif\(newline)")
                ]
            )
        }
    }

    /// Adds imports after the existing ones; does nothing for a file without imports.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - file: The file.
    ///   - condition: The condition of the imports; nil for unconditional ones.
    ///   - otherwise: The module to import if the condition does not hold; required with a condition.
    static func add(
        _ modules: [String],
        to file: PortingFile,
        condition: String? = nil,
        otherwise: String? = nil
    ) {
        guard !modules.isEmpty,
            let last = imports(of: file).last(where: \.isAtTop)
        else { return }
        let end = file.lineEnd(last.endPositionBeforeTrailingTrivia.utf8Offset)
        var lines = modules.map { "import \($0)\(file.newline)" }.joined()
        if let condition, let otherwise {
            lines =
                "#if \(condition)\(file.newline)\(lines)#else\(file.newline)import \(otherwise)\(file.newline)#endif"
                + file.newline
        }
        // Several members may need the same import.
        if !file.edits.edits.contains(where: { $0.range == end..<end && $0.text.contains(lines) }) {
            _ = file.edits.add([TextEdit(at: end, lines)])
        }
    }

    private static let separate: [(String, Set<String>)] = [
        (
            "FoundationNetworking",
            [
                "URLSession", "URLRequest", "URLResponse", "HTTPURLResponse", "URLSessionDataTask", "URLSessionTask",
                "URLSessionConfiguration", "URLCache", "HTTPCookie", "HTTPCookieStorage", "URLCredential",
                "URLSessionDownloadTask", "URLSessionDelegate",
            ]
        ),
        ("FoundationXML", ["XMLParser", "XMLParserDelegate", "XMLDocument", "XMLElement", "XMLNode"]),
    ]

    private static func imports(of file: PortingFile) -> [ImportDeclSyntax] {
        let reader = ImportReader(viewMode: .sourceAccurate)
        reader.walk(file.tree)
        return reader.imports
    }

    static func module(_ node: ImportDeclSyntax) -> String { node.path.first?.name.text ?? "" }

    private final class ImportReader: SyntaxVisitor {
        var imports: [ImportDeclSyntax] = []

        override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
            imports.append(node)
            return .skipChildren
        }

        override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
        override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    }
}

extension ImportDeclSyntax {
    /// The condition that contains the import.
    fileprivate var clause: IfConfigClauseSyntax? { parent?.parent?.parent?.as(IfConfigClauseSyntax.self) }

    /// Whether the import is unconditional.
    var isAtTop: Bool { parent?.parent?.parent?.is(SourceFileSyntax.self) == true }
}
