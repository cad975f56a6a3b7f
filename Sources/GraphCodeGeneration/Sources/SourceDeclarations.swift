// The declarations that SourceReader finds in a target's sources, as values. Used by SourceIndex and the writers.
// Contains no syntax nodes.

/// A location in a source file.
package struct SourceLocation: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

/// The common properties of declarations.
package struct DeclarationContext: Hashable, Sendable {
    package var location: SourceLocation
    /// The names of the enclosing types, from the outermost; for a member, this includes the type that has it.
    package var enclosing: [String]
    /// Whether the nearest enclosing scope is an extension.
    package var isInExtension: Bool
    /// For code in an extension, the length of the extended path: inside, names in the scopes around the extended type
    /// are not visible.
    package var extensionDepth: Int
    /// The explicit access level or that of the scope, not yet limited by the enclosing types.
    package var access: Access
    /// The `#if` condition that the generator cannot decide, as source text.
    package var condition: String?
}

/// A type declared in the sources.
package struct DeclaredType: Sendable {
    /// The kind of declaration.
    package enum Kind: Hashable, Sendable {
        case nominal(NominalType.Kind)
        case alias(TypeExpression)
    }

    package var context: DeclarationContext
    package var name: String
    package var kind: Kind
    package var inheritance: [TypeExpression]
    package var isGeneric: Bool
    /// The name of an `@objc(Name)` attribute.
    package var objectiveCName: String?
    /// Whether the type is isolated to an actor, so that the tables cannot call its members.
    package var isIsolated: Bool

    /// The type's own path.
    package var path: [String] { context.enclosing + [name] }
}

/// An extension, recorded for its protocol conformances.
package struct DeclaredExtension: Sendable {
    package var context: DeclarationContext
    package var path: [String]
    package var inheritance: [TypeExpression]
}

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
    /// Whether the property has a getter and no storage.
    package var isComputed: Bool
    /// Whether any code of the module can read the property without `await`, `try` or a warning.
    package var isPlainlyReadable: Bool
    /// Whether the getter reads the object's value of this name, like `value(forKey: "feedbacks")` in `feedbacks`.
    package var asksForOwnKey: Bool
    /// Whether the getter reads a key that the source text does not name.
    package var asksForUnknownKey: Bool
}

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

/// All declarations found in a set of files.
package struct SourceDeclarations: Sendable {
    /// An `import` with its enclosing condition.
    package struct Import: Hashable, Sendable {
        package var text: String
        package var condition: String?
    }

    package var types: [DeclaredType] = []
    package var extensions: [DeclaredExtension] = []
    package var properties: [DeclaredProperty] = []
    package var methods: [DeclaredMethod] = []
    /// Imports by file path.
    package var imports: [String: [Import]] = [:]

    package init() {}

    /// Adds the declarations of another file.
    package mutating func append(_ other: SourceDeclarations) {
        types += other.types
        extensions += other.extensions
        properties += other.properties
        methods += other.methods
        imports.merge(other.imports) { $0 + $1 }
    }
}
