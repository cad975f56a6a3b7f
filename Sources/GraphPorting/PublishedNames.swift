// The names that a file marks `@Published`. Used by CombineUse.
import SwiftSyntax

/// The properties marked `@Published`.
final class PublishedNames: SyntaxVisitor {
    private let file: PortingFile
    private var names: Set<String> = []

    private init(_ file: PortingFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    static func all(in file: PortingFile) -> Set<String> {
        let reader = PublishedNames(file)
        reader.walk(file.tree)
        return reader.names
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isPublished = node.attributes.contains { element in
            element.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "Published"
        }
        if isPublished {
            names.formUnion(node.bindings.map { $0.pattern.trimmedDescription })
        }
        return .visitChildren
    }
}
