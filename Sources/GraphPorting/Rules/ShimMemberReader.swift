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
        let isFolder = Self.folders.contains(name) && node.base?.trimmedDescription == "URL"
        if isMethod || isFolder || Self.properties.contains(name) { match = node.declName.baseName }
        return .visitChildren
    }
}
