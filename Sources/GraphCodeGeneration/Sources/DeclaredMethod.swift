// A method in a target's sources, with its parameters.

/// A method of a type or extension.
package struct DeclaredMethod: Sendable {
    /// One parameter.
    package struct Parameter: Sendable {
        package var label: String?
        package var type: TypeExpression
        package var typeText: String
        package var isInout: Bool
    }

    package var context: DeclarationContext
    package var name: String
    package var parameters: [Parameter]
    package var result: TypeExpression?
    package var resultText: String?
    package var isThrowing: Bool
    package var isAsync: Bool
    package var isManaged: Bool
    package var isStatic: Bool
    package var isIsolated: Bool
}
