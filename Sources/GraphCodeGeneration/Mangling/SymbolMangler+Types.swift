// Types in mangled names. Used by ManagedSymbol and recursively.

extension SymbolMangler {
    /// Writes a module: a letter for the standard library, the name for other modules.
    mutating func appendModule(_ module: String) {
        if module == StandardTypes.module {
            append("s")
        } else {
            appendIdentifier(module)
        }
    }

    /// Writes a class, struct, enum or protocol without generic arguments.
    mutating func appendNominal(_ type: NominalType) {
        if appendStandard(type) { return }
        if appendSubstitution(.nominal(type)) { return }
        guard let component = appendNominalName(type) else { return }
        append(component.kind.rawValue)
        remember(.nominal(type))
    }

    /// Writes a type.
    mutating func appendType(_ type: MangledType) {
        switch type {
        case .nominal(let nominal, let arguments):
            appendNominal(nominal, arguments: arguments, whole: type)
        case .optional(let wrapped):
            if appendSubstitution(.type(type)) { return }
            appendType(wrapped)
            append("Sg")
            remember(.type(type))
        case .existential(let protocols, let superclass):
            appendExistential(protocols, superclass: superclass)
        case .anyObject:
            append("yXl")
        case .metatype(let instance):
            appendType(instance)
            switch instance {
            case .existential, .anyObject: append("Xp")
            default: append("m")
            }
        case .tuple(let elements):
            appendTuple(elements.map { ($0.label, $0.type, "") })
        }
    }

    /// Writes a tuple, or a list of several parameters; labels and flags may be empty.
    mutating func appendTuple(_ elements: [(label: String?, type: MangledType, flags: String)]) {
        guard !elements.isEmpty else {
            append("y")
            append("t")
            return
        }
        for (index, element) in elements.enumerated() {
            appendType(element.type)
            append(element.flags)
            if let label = element.label { appendIdentifier(label) }
            if index == 0 { append("_") }
        }
        append("t")
    }

    private mutating func appendStandard(_ type: NominalType) -> Bool {
        guard type.module == StandardTypes.module, type.components.count == 1,
            let letters = StandardTypes.letters[type.components[0].name], let letter = letters.utf8.last
        else { return false }
        appendMerging(letter: letter, isStandard: true)
        return true
    }

    /// Writes the enclosing context and the name of a type; returns the last component, which has its kind.
    private mutating func appendNominalName(_ type: NominalType) -> NominalType.Component? {
        guard let component = type.components.last else { return nil }
        if let parent = type.parent {
            appendNominal(parent)
            if let module = component.extensionModule {
                appendModule(module)
                append("E")
            }
        } else {
            appendModule(type.module)
        }
        appendName(component.name, discriminator: component.discriminator)
        return component
    }

    /// Writes a declaration's name and, for a private one, its file's discriminator.
    mutating func appendName(_ name: String, discriminator: String?) {
        appendIdentifier(name)
        if let discriminator {
            appendIdentifier(discriminator)
            append("LL")
        }
    }

    private mutating func appendNominal(_ nominal: NominalType, arguments: [MangledType], whole wholeType: MangledType)
    {
        guard !arguments.isEmpty else {
            appendNominal(nominal)
            return
        }
        if appendSubstitution(.type(wholeType)) { return }
        appendNominal(nominal)
        // One list for each level; only the innermost type may be generic.
        append("y")
        for _ in nominal.components.dropFirst() { append("_") }
        for argument in arguments { appendType(argument) }
        append("G")
        remember(.type(wholeType))
    }

    private mutating func appendExistential(_ protocols: [NominalType], superclass: NominalType?) {
        var isFirst = true
        for item in protocols {
            appendProtocolName(item)
            if isFirst { append("_") }
            isFirst = false
        }
        if isFirst { append("y") }
        if let superclass {
            appendNominal(superclass)
            append("Xc")
        } else {
            append("p")
        }
    }

    /// Writes a protocol in a list: without its kind, and with substitutions for its parts.
    private mutating func appendProtocolName(_ type: NominalType) {
        if appendStandard(type) { return }
        _ = appendNominalName(type)
    }
}
