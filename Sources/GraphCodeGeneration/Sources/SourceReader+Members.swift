// Reads properties and methods. Part of SourceReader.
import SwiftSyntax

extension SourceReader {
    mutating func visitVariable(_ node: VariableDeclSyntax, _ scope: Scope) {
        guard !scope.enclosing.isEmpty else { return }
        let access = node.modifiers.access ?? scope.defaultAccess
        let isManaged = node.attributes.names.contains("NSManaged")
        // In `var a, b: Int`, both variables have the type of the last.
        var type: TypeSyntax?
        var properties: [DeclaredProperty] = []
        for binding in node.bindings.reversed() {
            if let annotation = binding.typeAnnotation { type = annotation.type }
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText else { continue }
            let getter = binding.accessorBlock.map(Getter.init)
            let reads = binding.accessorBlock.map { KeyReads($0, of: name) }
            properties.append(
                DeclaredProperty(
                    context: context(of: node, access: access, scope),
                    name: name,
                    type: type.map { TypeExpression($0) },
                    typeText: type?.sourceText ?? "",
                    setterAccess: node.modifiers.setterAccess ?? access,
                    isManaged: isManaged,
                    isStatic: node.modifiers.isStatic,
                    objectiveCName: node.attributes.objectiveCName
                        ?? (scope.isObjectiveC || node.attributes.contains("objc") ? name : nil),
                    isHiddenFromObjectiveC: node.attributes.contains("nonobjc"),
                    isComputed: getter?.isComputed ?? false,
                    isPlainlyReadable: !(getter?.hasEffects ?? false)
                        && scope.allowsUse(node.attributes, node.modifiers),
                    asksForOwnKey: reads?.asksForOwnKey ?? false,
                    asksForUnknownKey: reads?.asksForUnknownKey ?? false
                )
            )
        }
        result.properties += properties.reversed()
    }

    mutating func visitFunction(_ node: FunctionDeclSyntax, _ scope: Scope) {
        guard !scope.enclosing.isEmpty, node.genericParameterClause == nil else { return }
        let access = node.modifiers.access ?? scope.defaultAccess
        let parameters = node.signature.parameterClause.parameters.map { parameter in
            let label = parameter.firstName.plainText
            let attributed = parameter.type.as(AttributedTypeSyntax.self)
            let isInout = attributed?.specifiers.trimmedDescription.contains("inout") ?? false
            return DeclaredMethod.Parameter(
                label: label == "_" ? nil : label,
                type: TypeExpression(parameter.type),
                typeText: parameter.type.sourceText,
                isInout: isInout
            )
        }
        let result = node.signature.returnClause?.type
        let effects = node.signature.effectSpecifiers
        self.result.methods.append(
            DeclaredMethod(
                context: context(of: node, access: access, scope),
                name: node.name.plainText,
                parameters: parameters,
                result: result.map { TypeExpression($0) },
                resultText: result?.sourceText,
                isThrowing: effects?.throwsClause != nil,
                isAsync: effects?.asyncSpecifier != nil,
                isManaged: node.attributes.names.contains("NSManaged"),
                isStatic: node.modifiers.isStatic,
                isIsolated: !scope.allowsUse(node.attributes, node.modifiers)
            )
        )
    }

}

/// The properties of a getter.
struct Getter {
    /// The keywords of accessors that read.
    static let keywords: Set<String> = ["get", "_read", "read", "unsafeAddress"]

    var isComputed = false
    var hasEffects = false

    init(_ block: AccessorBlockSyntax) {
        switch block.accessors {
        case .getter:
            isComputed = true
        case .accessors(let accessors):
            for accessor in accessors where Self.keywords.contains(accessor.accessorSpecifier.text) {
                isComputed = true
                if accessor.effectSpecifiers != nil { hasEffects = true }
            }
        }
    }
}

extension DeclModifierListSyntax {
    /// The access level among the modifiers.
    var access: Access? {
        lazy.filter { $0.detail == nil }.compactMap { Access(keyword: $0.name.text) }.first
    }

    /// The access level of `private(set)` and similar modifiers.
    var setterAccess: Access? {
        lazy.filter { $0.detail?.detail.text == "set" }.compactMap { Access(keyword: $0.name.text) }.first
    }

    var isStatic: Bool {
        contains { $0.name.text == "static" || $0.name.text == "class" }
    }
}

extension AttributeListSyntax {
    /// The attributes' names, without those inside `#if`.
    var names: [String] {
        compactMap { element in
            guard case .attribute(let attribute) = element else { return nil }
            return attribute.attributeName.trimmedDescription
        }
    }

    /// Whether it has an attribute, even inside `#if`.
    func contains(_ name: String) -> Bool {
        contains { element in
            switch element {
            case .attribute(let attribute): attribute.attributeName.trimmedDescription == name
            case .ifConfigDecl(let node):
                node.clauses.contains { clause in
                    if case .attributes(let inner)? = clause.elements { inner.contains(name) } else { false }
                }
            }
        }
    }

    /// Whether an attribute isolates the declaration to a global actor whose name ends in "Actor".
    var isIsolated: Bool {
        names.contains { $0.hasSuffix("Actor") }
    }

    /// Whether the declaration is deprecated or unavailable, so that a reference to it would warn or fail.
    var isUnavailable: Bool {
        contains { element in
            guard case .attribute(let attribute) = element,
                attribute.attributeName.trimmedDescription == "available"
            else { return false }
            let text = attribute.arguments?.trimmedDescription ?? ""
            return text.contains("deprecated") || text.contains("unavailable")
        }
    }

    /// The name in `@objc(Name)`, even if the attribute is inside `#if`.
    var objectiveCName: String? {
        for element in self {
            switch element {
            case .attribute(let attribute):
                guard attribute.attributeName.trimmedDescription == "objc", let arguments = attribute.arguments else {
                    continue
                }
                return arguments.trimmedDescription
            case .ifConfigDecl(let node):
                for clause in node.clauses {
                    if case .attributes(let inner)? = clause.elements, let name = inner.objectiveCName { return name }
                }
            }
        }
        return nil
    }
}

extension TypeSyntax {
    /// The type as text for a signature: an implicitly unwrapped optional becomes an optional.
    var sourceText: String {
        if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return "\(type.wrappedType.trimmedDescription)?"
        }
        return trimmedDescription
    }
}
