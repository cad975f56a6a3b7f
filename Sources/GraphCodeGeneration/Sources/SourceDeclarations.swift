// What SourceReader finds in a target's sources, as values. Read by SourceIndex and the writers. Holds no syntax.

/// A place in a source file.
package struct SourceLocation: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

/// Facts that every declaration has.
package struct DeclarationContext: Hashable, Sendable {
    package var location: SourceLocation
    /// The enclosing types by name, from the outermost: where the declaration is a member, the type that has it.
    package var enclosing: [String]
    /// Whether the nearest enclosing scope is an extension.
    package var isInExtension: Bool
    /// For code in an extension, the length of the path that it extends: names inside do not see what lies around the
    /// extended type.
    package var extensionDepth: Int
    /// The access level as written or as the scope gives it, not yet limited by that of the enclosing types.
    package var access: Access
    /// The `#if` condition that must hold and that the generator cannot decide, as source text.
    package var condition: String?
}

/// A type declared in the sources.
package struct DeclaredType: Sendable {
    /// What is declared.
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
    /// Isolated to an actor: its members cannot be called from the tables.
    package var isIsolated: Bool

    /// The type's own path.
    package var path: [String] { context.enclosing + [name] }
}

/// An extension, for the protocols that it adds.
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
    /// Has a getter and no storage.
    package var isComputed: Bool
    /// Can be read from any code of the module without `await`, `try` or a warning.
    package var isPlainlyReadable: Bool
    /// The getter asks the object for the value of this name, as `value(forKey: "feedbacks")` in `feedbacks`.
    package var asksForOwnKey: Bool
    /// The getter asks the object for a key that the text does not name.
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

/// Everything that was found in some files.
package struct SourceDeclarations: Sendable {
    /// An `import`, with the condition it stands under.
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

    /// Adds what another file declares.
    package mutating func append(_ other: SourceDeclarations) {
        types += other.types
        extensions += other.extensions
        properties += other.properties
        methods += other.methods
        imports.merge(other.imports) { $0 + $1 }
    }
}
