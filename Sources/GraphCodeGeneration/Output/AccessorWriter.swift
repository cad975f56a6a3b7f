// Writes the bodies of hand-written @NSManaged declarations: functions with the symbols that the compiler expects for
// the getters, setters and methods. Called by TargetGenerator. An unsupported declaration is reported as an error
// instead of failing at link time.
import GraphModel

/// Writes `ManagedAccessors.swift`.
struct AccessorWriter {
    let sources: ManagedSources
    let keys: ManagedKeys
    let mangler: DeclarationMangler
    var constants: PropertyConstants
    var messages: [GenerationMessage] = []

    init(sources: ManagedSources, keys: ManagedKeys, constants: PropertyConstants) {
        self.sources = sources
        self.keys = keys
        self.constants = constants
        mangler = DeclarationMangler(index: sources.index, dependencies: sources.dependencies)
    }

    /// The files whose declarations get accessors: generated code needs their imports.
    var files: Set<String> {
        Set(
            sources.declarations.properties.filter(\.isManaged).map(\.context.location.file)
                + sources.declarations.methods.filter(\.isManaged).map(\.context.location.file)
        )
    }

    /// The text of all accessors.
    mutating func write(header: [String]) -> String {
        var code = CodeText()
        header.forEach { code.line($0) }
        let properties = sources.declarations.properties.filter { $0.isManaged && !$0.isStatic }
        let methods = sources.declarations.methods.filter { $0.isManaged && !$0.isStatic }
        var owners: [[String]] = []
        for owner in properties.map(\.context.enclosing) + methods.map(\.context.enclosing)
        where !owners.contains(owner) {
            owners.append(owner)
        }
        for owner in owners {
            let contexts = properties.map(\.context) + methods.map(\.context)
            let ownContexts = contexts.filter { $0.enclosing == owner }
            guard canExtend(owner, at: ownContexts.first?.location) else { continue }
            let ownProperties = properties.filter { $0.context.enclosing == owner }
            let ownMethods = methods.enumerated().filter { $0.element.context.enclosing == owner }
            guard sources.classes[owner.joined(separator: ".")]?.condition != nil else {
                code.line()
                writeExtension(of: owner, ownProperties, ownMethods, to: &code)
                continue
            }
            // Each extension has the condition of its members, which includes that of the class.
            var conditions: [String?] = []
            for context in ownContexts where !conditions.contains(context.condition) {
                conditions.append(context.condition)
            }
            for condition in conditions {
                code.line()
                code.conditional(condition) { code in
                    writeExtension(
                        of: owner,
                        ownProperties.filter { $0.context.condition == condition },
                        ownMethods.filter { $0.element.context.condition == condition },
                        to: &code
                    )
                }
            }
        }
        return code.text
    }

    private mutating func writeExtension(
        of owner: [String],
        _ properties: [DeclaredProperty],
        _ methods: [EnumeratedSequence<[DeclaredMethod]>.Element],
        to code: inout CodeText
    ) {
        let modelProperties = keys.properties(of: owner)
        code.block("nonisolated extension \(owner.map(SwiftName.declared).joined(separator: "."))") { code in
            for property in properties { write(property, modelProperties, to: &code) }
            for (number, method) in methods { write(method, number: number, modelProperties, to: &code) }
        }
    }

    private mutating func canExtend(_ owner: [String], at location: SourceLocation?) -> Bool {
        guard let item = sources.classes[owner.joined(separator: ".")], item.isFileLocal, let location else {
            return true
        }
        messages.append(
            GenerationMessage(
                .error,
                at: location,
                "the class \(owner.joined(separator: ".")) is private and has @NSManaged members. Their accessors are "
                    + "generated in another file, which cannot see the class: make it internal."
            )
        )
        return false
    }

    // MARK: Properties

    private mutating func write(
        _ property: DeclaredProperty,
        _ modelProperties: [String: Property]?,
        to code: inout CodeText
    ) {
        let symbols: (getter: String, setter: String, type: MangledType)
        do {
            symbols = try mangler.accessors(of: property)
        } catch {
            report(error, of: property.name, in: property.context)
            return
        }
        let (key, isPrimitive) = key(of: property.key, modelProperties)
        if let modelProperties, modelProperties[key] == nil {
            let owner = property.context.enclosing.joined(separator: ".")
            messages.append(
                GenerationMessage(
                    .warning,
                    at: property.context.location,
                    "\(owner).\(property.name) is declared @NSManaged, but the entity of \(owner) has no property "
                        + "\(key). Add it to the model, or remove the declaration."
                )
            )
        }
        let owner = property.context.enclosing.joined(separator: "_")
        let constant = constants.expression(class: owner, property: key)
        let kind = isPrimitive ? "ManagedPrimitiveValue" : "ManagedValue"
        // The functions for a type that holds others would be ambiguous, or the one of another type.
        let reader = symbols.type.holdsOtherTypes && !isPrimitive ? "managedAnyValue" : SwiftName.decapitalized(kind)
        let name = SwiftName.sanitized("\(owner)_\(property.name)")
        let type = mangler.spelling(of: property.type, text: property.typeText, in: property.context)
        let access = effectiveAccess(property.context)
        code.conditional(property.context.condition) { code in
            code.line("@_silgen_name(\"\(symbols.getter)\")")
            code.block("\(modifier(access))final func _get_\(name)() -> \(type)") { code in
                code.line("\(reader)(for: \(constant))")
            }
            code.line("@_silgen_name(\"\(symbols.setter)\")")
            let setter = modifier(min(access, property.setterAccess))
            code.block("\(setter)final func _set_\(name)(_ value: __owned \(type))") { code in
                code.line("set\(kind)(value, for: \(constant))")
            }
        }
    }

    /// The key of a property, and whether the property is the primitive accessor (`primitiveDueDate`).
    private func key(of name: String, _ modelProperties: [String: Property]?) -> (String, isPrimitive: Bool) {
        if modelProperties?[name] == nil, name.hasPrefix("primitive"),
            let key = ManagedKeys.key(name.dropFirst("primitive".count), in: modelProperties)
        {
            return (key, true)
        }
        return (name, false)
    }

    // MARK: Methods

    private mutating func write(
        _ method: DeclaredMethod,
        number: Int,
        _ modelProperties: [String: Property]?,
        to code: inout CodeText
    ) {
        let symbol: String
        do {
            symbol = try mangler.symbol(of: method)
        } catch {
            report(error, of: method.name, in: method.context)
            return
        }
        guard let body = ManagedMethodBody(method, properties: modelProperties), !method.isThrowing, !method.isAsync
        else {
            let labels = method.parameters.map { "\($0.label ?? "_"):" }.joined()
            messages.append(
                GenerationMessage(
                    .error,
                    at: method.context.location,
                    "@NSManaged func \(method.name)(\(labels)) is not an accessor of a property of the model: Core Data "
                        + "knows addToX(_:), removeFromX(_:), insertIntoX(_:at:), removeFromX(at:), "
                        + "replaceX(at:with:), addXObject(_:), removeXObject(_:), addX(_:), removeX(_:), primitiveX() "
                        + "and setPrimitiveX(_:)."
                )
            )
            return
        }
        let owner = method.context.enclosing.joined(separator: "_")
        let constant = constants.expression(class: owner, property: body.key)
        let parameters = method.parameters.enumerated().map {
            let text = mangler.spelling(of: $0.element.type, text: $0.element.typeText, in: method.context)
            return "_ v\($0.offset): \(text)"
        }
        let result = method.resultText.map {
            " -> \(mangler.spelling(of: method.result, text: $0, in: method.context))"
        }
        let name = SwiftName.sanitized("\(owner)_\(method.name)_\(number)")
        code.conditional(method.context.condition) { code in
            code.line("@_silgen_name(\"\(symbol)\")")
            let head = "\(modifier(effectiveAccess(method.context)))final func _call_\(name)"
            code.block("\(head)(\(parameters.joined(separator: ", ")))\(result ?? "")") { code in
                var call = body.call.replacing("%", with: constant)
                for index in method.parameters.indices { call = call.replacing("$\(index)", with: "v\(index)") }
                code.line(call)
            }
        }
    }

    // MARK: Access

    /// The effective access of the declaration: the generated function must have the same visibility to the linker.
    private func effectiveAccess(_ context: DeclarationContext) -> Access {
        let owner = sources.classes[context.enclosing.joined(separator: ".")]?.access
        return min(context.access, owner ?? .open)
    }

    private func modifier(_ access: Access) -> String {
        switch access {
        case .open, .public: "@usableFromInline "
        case .package: "package "
        default: ""
        }
    }

    private mutating func report(_ error: any Error, of name: String, in context: DeclarationContext) {
        // If an `#if` may be false here, only warn: the compiler then does not require the symbol.
        let severity: GenerationMessage.Severity = context.condition == nil ? .error : .warning
        let reason = (error as? UnresolvedType)?.reason ?? "\(error)"
        let owner = context.enclosing.joined(separator: ".")
        messages.append(GenerationMessage(severity, at: context.location, "\(owner).\(name): \(reason)."))
    }
}
