// Determines the keys that a getter reads from its object. Used by SourceReader: a property that reads its own key must
// not be registered as the implementation of that key, or each would call the other endlessly.
import SwiftSyntax

/// The keys that a piece of code reads through key-value coding.
final class KeyReads: SyntaxVisitor {
    /// Methods whose first argument is a key, and that may call the class's own accessor for it.
    private static let readers: Set<String> = [
        "value", "mutableSetValue", "mutableOrderedSetValue", "mutableArrayValue", "dictionaryWithValues",
    ]
    private static let labels: Set<String> = ["forKey", "forKeyPath", "forKeys"]

    private let name: String
    /// Whether the code reads the key of this name.
    private(set) var asksForOwnKey = false
    /// Whether the code reads a key that cannot be determined without running it.
    private(set) var asksForUnknownKey = false

    /// Reads the getter of a property.
    ///
    /// - Parameters:
    ///   - block: The accessors of the property.
    ///   - name: The property's name, which is the value of `#function` inside them.
    init(_ block: AccessorBlockSyntax, of name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
        switch block.accessors {
        case .getter(let items):
            walk(items)
        case .accessors(let accessors):
            for accessor in accessors where Getter.keywords.contains(accessor.accessorSpecifier.text) {
                if let body = accessor.body { walk(body) }
            }
        }
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard let argument = node.arguments.first, Self.labels.contains(argument.label?.text ?? ""),
            let method = method(node.calledExpression), Self.readers.contains(method)
        else { return .visitChildren }
        if let key = key(argument.expression) {
            // `tasks.@count` reads the key `tasks`.
            if key == name || key.hasPrefix(name + ".") { asksForOwnKey = true }
        } else {
            asksForUnknownKey = true
        }
        return .visitChildren
    }

    /// The name of a method called on the object itself; nil for a call on another object.
    private func method(_ expression: ExprSyntax) -> String? {
        if let reference = expression.as(DeclReferenceExprSyntax.self) { return reference.baseName.text }
        guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base,
            ["self", "super", "(self as NSManagedObject)"].contains(base.trimmedDescription)
        else { return nil }
        return access.declName.baseName.text
    }

    /// The key in an argument, if the source text determines it.
    private func key(_ expression: ExprSyntax) -> String? {
        if let literal = expression.as(StringLiteralExprSyntax.self) { return literal.representedLiteralValue }
        guard let macro = expression.as(MacroExpansionExprSyntax.self) else { return nil }
        switch macro.macroName.text {
        case "function": return name
        case "keyPath":
            return macro.arguments.first?.expression.trimmedDescription.split(separator: ".").last.map(String.init)
        default: return nil
        }
    }
}
