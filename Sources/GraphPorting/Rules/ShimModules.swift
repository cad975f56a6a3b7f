// The modules that replace Apple's on other platforms, and files that use their names without an explicit import. Used
// by ImportRule.
import SwiftSyntax

enum ShimModules {
    /// The module that replaces Apple's locks and logging.
    static let system = "ApplePlatformShims"

    /// Package products by imported module.
    static let products = [
        system: (product: system, package: "ManagedGraph"), "CombineShims": (product: system, package: "ManagedGraph"),
        "OpenCombineShim": (product: "OpenCombineShim", package: "OpenCombine"),
    ]

    /// Names that only `os` declares.
    private static let systemNames: Set<String> = [
        "OSLog", "OSLogType", "OSLogMessage", "OSLogPrivacy", "os_log", "OSAllocatedUnfairLock", "os_unfair_lock",
        "os_unfair_lock_s", "os_unfair_lock_t", "os_unfair_lock_lock", "os_unfair_lock_unlock",
        "os_unfair_lock_trylock", "os_unfair_lock_assert_owner", "os_unfair_lock_assert_not_owner",
    ]

    /// The replacement for a module imported in a file; nil if none is needed.
    static func module(for name: String, in file: PortingFile, _ index: CodeIndex) -> String? {
        switch name {
        case "os", "OSLog":
            var names = systemNames.filter { !index.hasType(named: $0) }
            // The cross-platform logging library also has a type of this name.
            if !index.hasType(named: "Logger"), !ImportRule.modules(of: file).contains("Logging") {
                names.insert("Logger")
            }
            return NameReader.first(of: names, in: file) == nil ? nil : system
        case "Combine": return index.combine.module
        default: return nil
        }
    }

    /// Imports `os` and its replacement if a member moved into a file needs it.
    static func addSystem(for member: Syntax, to file: PortingFile, _ index: CodeIndex) {
        let names = systemNames.union(["Logger"]).filter { !index.hasType(named: $0) }
        guard member.tokens(viewMode: .sourceAccurate).contains(where: { names.contains($0.text) }),
            ImportRule.modules(of: file).isDisjoint(with: ["os", "OSLog", "Logging", system])
        else { return }
        ImportRule.add(["os"], to: file, condition: "canImport(os)", otherwise: system)
    }

    /// Imports replacements for names that re-exported modules provide on Apple platforms.
    static func addMissing(
        to file: PortingFile,
        _ imports: [ImportDeclSyntax],
        _ index: CodeIndex,
        without added: Set<String>
    ) {
        let present = added.union(imports.map(ImportRule.module))
        let imported = Set(imports.filter { $0.importKindSpecifier != nil }.compactMap { $0.path.last?.name.text })
        let names = systemNames.filter { !index.hasType(named: $0) && !imported.contains($0) }
        if !present.contains(system), present.isDisjoint(with: ["os", "OSLog"]),
            !ImportRule.hasReplacement(for: ["os", "OSLog"], in: file),
            let use = NameReader.first(of: names, in: file)
        {
            add(system, to: file, use, "os", imports)
        } else if !present.contains(system), let use = ShimMemberReader.firstUse(in: file) {
            let owner = "of Apple's Foundation"
            add(system, to: file, use, "ObjectiveC", imports, owner: owner)
        }
        guard let module = index.combine.module, !present.contains(module),
            present.isDisjoint(with: CombineUse.modules),
            !present.contains("Combine")
        else { return }
        var combineNames = CombineUse.all
        if index.combine == .notifications { combineNames = ["AnyCancellable", "Cancellable"] }
        if !AppleFrameworks.closure(ImportRule.modules(of: file)).contains("Combine") {
            combineNames.formIntersection(CombineUse.unmistakable)
        }
        guard let use = NameReader.first(of: combineNames.filter { !index.hasType(named: $0) }, in: file)
        else { return }
        add(module, to: file, use, "Combine", imports)
    }

    private static func add(
        _ module: String,
        to file: PortingFile,
        _ use: TokenSyntax,
        _ apple: String,
        _ imports: [ImportDeclSyntax],
        owner: String? = nil
    ) {
        guard let last = imports.last(where: \.isAtTop) else {
            return
        }
        let newline = file.newline
        let end = file.lineEnd(last.endPositionBeforeTrailingTrivia.utf8Offset)
        file.report(
            ImportRule.name,
            at: use,
            "\(use.text) is \(owner ?? "of \(apple)"), which only Apple's platforms have",
            "\(module) is imported elsewhere.",
            edits: [TextEdit(at: end, "#if !canImport(\(apple))\(newline)import \(module)\(newline)#endif\(newline)")]
        )
    }
}
