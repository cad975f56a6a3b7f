// Other platforms lack `NSPersistentCloudKitContainer`: the first file that uses it gets a plain subclass of this name,
// distinct because code tests for the container's class. AppleOnlyRule leaves out its additional members.
import GraphCodeGeneration
import SwiftSyntax

enum CloudKitContainerRule: PortingRule {
    static let name = "cloudkit-container"
    private static let type = "NSPersistentCloudKitContainer"

    static func run(on files: [PortingFile], index: CodeIndex) {
        guard !files.contains(where: declares) else { return }
        let uses = files.compactMap { file in NameReader.first(of: [type], in: file).map { (file, $0) } }
        guard let (file, _) = uses.first else { return }
        let isPublic = uses.contains { file, _ in PublicMentions.areMade(of: type, in: file.tree) }
        let lines = [
            "", "#if !canImport(CloudKit)", "/// Off Apple there is no CloudKit: stores stay on the machine.",
            "\(isPublic ? "open " : "")class \(type): NSPersistentContainer, @unchecked Sendable {}", "#endif", "",
        ]
        for (place, (user, use)) in uses.enumerated() {
            user.report(
                name,
                at: use,
                "\(type) is there on Apple's platforms only",
                "\(place == 0 ? "The file" : file.path) has a plain container of this name, for other platforms.",
                edits: place == 0 ? [file.appending(lines)] : []
            )
        }
    }

    private static func declares(_ file: PortingFile) -> Bool {
        TypeSearch.finds(type, in: file.tree)
    }

    /// Searches for a class or a type alias.
    private final class TypeSearch: NameSearch {
        override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind { look(node.name, .skipChildren) }
        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { look(node.name, .visitChildren) }
    }
}
