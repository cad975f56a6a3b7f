// The names that the module Observation declares, which Apple's Foundation exports. Used by ImportRule.
import SwiftSyntax

/// Finds the first use of a name of Observation in a file.
///
/// `Observable` counts as an attribute alone: libraries of reactive streams have a type of this name.
final class ObservationNames: SyntaxVisitor {
    private static let attributes: Set<String> = ["Observable", "ObservationIgnored", "ObservationTracked"]
    private static let names: Set<String> = ["ObservationRegistrar", "withObservationTracking"]

    private let file: PortingFile
    private var attribute: TokenSyntax?

    private init(_ file: PortingFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    /// The first name for which a file needs an import of Observation off Apple.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - index: The module's declarations, which hide others.
    /// - Returns: The name; nil if the file uses none.
    static func firstUse(in file: PortingFile, _ index: CodeIndex) -> TokenSyntax? {
        let reader = ObservationNames(file)
        reader.walk(file.tree)
        let used = reader.attribute ?? NameReader.first(of: names, in: file)
        return used.flatMap { index.hasType(named: $0.text) ? nil : $0 }
    }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        guard attribute == nil, let name = node.attributeName.as(IdentifierTypeSyntax.self)?.name,
            Self.attributes.contains(name.text), !file.isLeftOut(name)
        else { return .visitChildren }
        attribute = name
        return .skipChildren
    }
}
