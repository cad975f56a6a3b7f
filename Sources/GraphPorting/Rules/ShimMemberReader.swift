// Finds members of Foundation's types that only Apple's platforms have, and that `ApplePlatformShims` adds on others. Used
// by ShimModules.
import SwiftSyntax

/// Finds the first use of such a member in a file.
final class ShimMemberReader: SyntaxVisitor {
    /// Methods by their names and first labels.
    private static let methods: Set<String> = [
        "notifications(named:", "containerURL(forSecurityApplicationGroupIdentifier:",
        "url(forUbiquityContainerIdentifier:",
    ]
    private static let properties: Set<String> = ["ubiquityIdentityToken"]
    /// Static properties of URL.
    private static let folders: Set<String> = [
        "documentsDirectory", "applicationSupportDirectory", "cachesDirectory", "libraryDirectory", "desktopDirectory",
        "downloadsDirectory", "moviesDirectory", "musicDirectory", "picturesDirectory",
    ]

    private let file: PortingFile
    private var match: TokenSyntax?

    private init(_ file: PortingFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    static func firstUse(in file: PortingFile) -> TokenSyntax? {
        let reader = ShimMemberReader(file)
        reader.walk(file.tree)
        return reader.match
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        guard match == nil, !file.isLeftOut(node) else { return .visitChildren }
        let name = node.declName.baseName.text
        let call = node.parent?.as(FunctionCallExprSyntax.self)
        let isMethod = call?.arguments.first?.label.map { Self.methods.contains("\(name)(\($0.text):") } == true
        // Without a base, the name may be that of a search path, which has no member that code would ask for.
        let isImplied = node.base == nil && (name == "documentsDirectory" || isAsked(node))
        let isFolder = Self.folders.contains(name) && (node.base?.trimmedDescription == "URL" || isImplied)
        if isMethod || isFolder || Self.properties.contains(name) { match = node.declName.baseName }
        return .visitChildren
    }

    /// Whether a member of an expression is named.
    private func isAsked(_ node: MemberAccessExprSyntax) -> Bool {
        guard let outer = node.parent?.as(MemberAccessExprSyntax.self) else { return false }
        return outer.base.map { Syntax($0) == Syntax(node) } == true && outer.declName.baseName.text != "rawValue"
    }
}
