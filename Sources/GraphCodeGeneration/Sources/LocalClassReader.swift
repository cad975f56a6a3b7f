// Finds classes with @NSManaged members in the bodies of functions. Created by SourceReader; TargetGenerator reports
// them, as a generated file cannot extend a class that only its function can name.
import SwiftSyntax

/// Collects local classes with @NSManaged members.
final class LocalClassReader: SyntaxVisitor {
    private(set) var result: [LocalClass] = []
    private let location: (ClassDeclSyntax) -> SourceLocation
    private var openClasses: [(node: ClassDeclSyntax, isLocal: Bool)] = []
    private var bodyDepth = 0
    private var conditionDepth = 0

    /// - Parameter location: Returns the place of a class.
    init(_ location: @escaping (ClassDeclSyntax) -> SourceLocation) {
        self.location = location
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for clause in node.clauses {
            let value = clause.condition.map { PlatformCondition.value(of: $0) } ?? .yes
            guard value != .no, let elements = clause.elements else { continue }
            if value == .unknown { conditionDepth += 1 }
            walk(elements)
            if value == .unknown { conditionDepth -= 1 } else { break }
        }
        return .skipChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        openClasses.append((node, bodyDepth > 0))
        return .visitChildren
    }

    override func visitPost(_ node: ClassDeclSyntax) { openClasses.removeLast() }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        guard node.attributeName.trimmedDescription == "NSManaged", let owner = openClasses.last, owner.isLocal else {
            return .skipChildren
        }
        let localClass = LocalClass(
            name: owner.node.name.plainText,
            location: location(owner.node),
            isConditional: conditionDepth > 0
        )
        if !result.contains(localClass) { result.append(localClass) }
        return .skipChildren
    }

    // MARK: Bodies

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: CodeBlockSyntax) { bodyDepth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: ClosureExprSyntax) { bodyDepth -= 1 }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: AccessorBlockSyntax) { bodyDepth -= 1 }

    private func enterBody() -> SyntaxVisitorContinueKind {
        bodyDepth += 1
        return .visitChildren
    }
}
