// Derives the symbols of a declaration in the sources. Used by AccessorWriter and by the tests that compare our symbols
// with the compiler's.

/// Mangles members that SourceReader found.
package struct DeclarationMangler: Sendable {
    private let index: SourceIndex
    private let resolver: TypeResolver

    /// Creates a mangler for the members of one module.
    ///
    /// - Parameters:
    ///   - index: The types of the module that declares the members.
    ///   - dependencies: The types of modules that it may import and whose sources were read.
    package init(index: SourceIndex, dependencies: [SourceIndex] = []) {
        self.index = index
        resolver = TypeResolver(index: index, dependencies: dependencies)
    }

    /// The symbols of a property's getter and setter, and its type.
    package func accessors(
        of property: DeclaredProperty
    ) throws -> (getter: String, setter: String, type: MangledType) {
        guard let expression = property.type else {
            throw UnresolvedType(name: property.name, reason: "the property is declared without a type")
        }
        let symbol = try symbol(property.name, property.context)
        let type = try resolve(expression, property.context)
        return (symbol.getter(type: type), symbol.setter(type: type), type)
    }

    /// The symbol of a method.
    package func symbol(of method: DeclaredMethod) throws -> String {
        let parameters = try method.parameters.map {
            ManagedSymbol.Parameter(label: $0.label, type: try resolve($0.type, method.context))
        }
        let result = try method.result.map { try resolve($0, method.context) } ?? .void
        return try symbol(method.name, method.context).method(
            parameters: parameters,
            result: result,
            isThrowing: method.isThrowing
        )
    }

    /// The text of a type as an extension of the class spells it.
    ///
    /// Types of enclosing classes are not in scope in the extension of a nested class, so their names are qualified.
    ///
    /// - Parameters:
    ///   - expression: The type as written in the class.
    ///   - text: Its text.
    ///   - context: The declaration that has the type.
    /// - Returns: The text itself if the class is not nested.
    package func spelling(of expression: TypeExpression?, text: String, in context: DeclarationContext) -> String {
        guard let expression, context.enclosing.count > 1, let completed = completed(expression, context),
            completed.isChanged
        else { return text }
        return completed.text
    }

    /// The text of a type as code outside of all types spells it.
    ///
    /// - Parameters:
    ///   - expression: The type as written in a class.
    ///   - text: Its text.
    ///   - context: The declaration that has the type.
    /// - Returns: The text itself if no name in it is that of a nested type.
    func outerSpelling(of expression: TypeExpression, text: String, in context: DeclarationContext) -> String {
        guard let completed = completed(expression, context, isOutside: true), completed.isChanged else { return text }
        return completed.text
    }

    /// A type with completed names; nil if it has a form that is not rewritten.
    private func completed(
        _ expression: TypeExpression,
        _ context: DeclarationContext,
        isOutside: Bool = false
    ) -> (text: String, isChanged: Bool)? {
        switch expression {
        case .optional(let wrapped): completed([wrapped], context, isOutside) { "\($0[0])?" }
        case .array(let element): completed([element], context, isOutside) { "[\($0[0])]" }
        case .dictionary(let key, let value): completed([key, value], context, isOutside) { "[\($0[0]): \($0[1])]" }
        case .named(let components) where isOutside: outside(components, context)
        case .named(let components):
            if let arguments = components.last?.arguments, !arguments.isEmpty {
                completed(arguments, context, isOutside) {
                    "\(components.map(\.name).joined(separator: "."))<\($0.joined(separator: ", "))>"
                }
            } else if case .nominal(let type, _)? = try? resolve(expression, context), type.components.count > 1,
                type.module == index.module, type.components.count > components.count
            {
                (type.components.map { SwiftName.declared($0.name) }.joined(separator: "."), true)
            } else {
                (components.map(\.name).joined(separator: "."), false)
            }
        case .composition, .tuple, .metatype, .unsupported: nil
        }
    }

    /// A name for code outside of all types; nil if it has an argument that is not rewritten.
    private func outside(
        _ components: [TypeExpression.Component],
        _ context: DeclarationContext
    ) -> (text: String, isChanged: Bool)? {
        let names = components.map(\.name)
        let path = resolver.nestedPath(of: names, in: LookupScope(context))
        let name = path.map { $0.map(SwiftName.declared).joined(separator: ".") } ?? names.joined(separator: ".")
        guard let arguments = components.last?.arguments, !arguments.isEmpty else { return (name, path != nil) }
        let whole = completed(arguments, context, true) { "\(name)<\($0.joined(separator: ", "))>" }
        guard let whole else { return nil }
        return (whole.text, whole.isChanged || path != nil)
    }

    private func completed(
        _ parts: [TypeExpression],
        _ context: DeclarationContext,
        _ isOutside: Bool,
        joining join: ([String]) -> String
    ) -> (text: String, isChanged: Bool)? {
        let results = parts.map { completed($0, context, isOutside: isOutside) }
        let texts = results.compactMap { $0?.text }
        return texts.count < parts.count ? nil : (join(texts), results.contains { $0?.isChanged == true })
    }

    private func resolve(_ expression: TypeExpression, _ context: DeclarationContext) throws -> MangledType {
        try resolver.resolve(expression, in: LookupScope(context))
    }

    private func symbol(_ name: String, _ context: DeclarationContext) throws -> ManagedSymbol {
        let file = context.location.file
        let owner = try resolver.resolve(.named(context.enclosing.map { .init($0) }), in: LookupScope(file: file))
        guard case .nominal(let nominal, _) = owner else {
            throw UnresolvedType(name: context.enclosing.joined(separator: "."), reason: "it is not a class")
        }
        let isOwnerLocal = index.entry(context.enclosing, from: file)?.isFileLocal ?? false
        let hasDiscriminator = context.access.isFileLocal && !isOwnerLocal
        // A class nested in an extension of another module's type belongs to this module.
        let isOwn = nominal.module == index.module || nominal.components.contains { $0.extensionModule == index.module }
        return ManagedSymbol(
            owner: nominal,
            extensionModule: isOwn ? nil : index.module,
            name: name,
            discriminator: hasDiscriminator
                ? PrivateDiscriminator.text(module: index.module, fileName: file.lastPathComponent) : nil
        )
    }
}
