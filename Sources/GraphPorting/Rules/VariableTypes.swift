// The declared types of a file's variables. Used by UseReader.
import SwiftSyntax

/// The types of variables and parameters, if the file declares them.
final class VariableTypes: SyntaxVisitor {
    private var types: [String: Set<String>] = [:]

    init(_ file: PortingFile) {
        super.init(viewMode: .sourceAccurate)
        walk(file.tree)
    }

    /// The type of a variable; nil if the file declares none or several.
    func type(of base: String) -> String? {
        let name = base.filter { $0 != "?" && $0 != "!" }.split(separator: ".").last.map(String.init) ?? ""
        let matches = types[name] ?? []
        return matches.count == 1 ? matches.first : nil
    }

    private func add(_ name: String, _ type: TypeSyntax) {
        let typeName = type.trimmedDescription.filter { $0 != "?" && $0 != "!" }
        types[name, default: []].insert(typeName)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let name = node.pattern.trimmedDescription
        if let type = node.typeAnnotation?.type {
            add(name, type)
        } else if let call = node.initializer?.value.as(FunctionCallExprSyntax.self),
            let type = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        {
            types[name, default: []].insert(type)
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        add((node.secondName ?? node.firstName).text, node.type)
        return .visitChildren
    }
}
