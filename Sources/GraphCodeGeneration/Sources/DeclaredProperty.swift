// A property in a target's sources, with its type and attributes.

/// A property of a type or extension.
package struct DeclaredProperty: Sendable {
    package var context: DeclarationContext
    package var name: String
    package var type: TypeExpression?
    /// The type as source text, for generated signatures.
    package var typeText: String
    package var setterAccess: Access
    package var isManaged: Bool
    package var isStatic: Bool
    /// The property's key for Objective-C on Apple's platforms; nil if it is neither `@objc` nor in a scope that is.
    package var objectiveCName: String?
    /// Whether the property is `@nonobjc`, so that key-value coding does not find it on Apple's platforms.
    package var isHiddenFromObjectiveC: Bool
    /// Whether the property has a getter and no storage.
    package var isComputed: Bool
    /// Whether any code of the module can read the property without `await`, `try` or a warning.
    package var isPlainlyReadable: Bool
    /// Whether the getter reads the object's value of this name, like `value(forKey: "feedbacks")` in `feedbacks`.
    package var asksForOwnKey: Bool
    /// Whether the getter reads a key that the source text does not name.
    package var asksForUnknownKey: Bool

    /// The key that a managed property has in the model: `done` for `@NSManaged @objc(done) var isDone`.
    package var key: String { objectiveCName ?? name }
}
