// The symbols that the compiler expects for a declaration marked @NSManaged: the compiler emits the dispatch and leaves
// the bodies to the Objective-C runtime, which other platforms lack. Created by DeclarationMangler.

/// The location of a declaration and its linker name.
package struct ManagedSymbol: Hashable, Sendable {
    /// The class that has the member.
    package var owner: NominalType
    /// The module of the extension that declares the member, if it is not the class's own module.
    package var extensionModule: String?
    package var name: String
    /// For a private member: the discriminator of its file.
    package var discriminator: String?

    /// A parameter of a method.
    package struct Parameter: Hashable, Sendable {
        package var label: String?
        package var type: MangledType
    }

    /// The symbol of a property's getter.
    package func getter(type: MangledType) -> String { accessor(type, "vg") }

    /// The symbol of a property's setter.
    package func setter(type: MangledType) -> String { accessor(type, "vs") }

    /// The symbol of a method.
    package func method(parameters: [Parameter], result: MangledType, isThrowing: Bool = false) -> String {
        var mangler = begin()
        if parameters.contains(where: { $0.label != nil }) {
            for parameter in parameters {
                if let label = parameter.label {
                    mangler.appendIdentifier(label)
                } else {
                    mangler.append("_")
                }
            }
        } else if !parameters.isEmpty {
            mangler.append("y")
        }
        if result == .void { mangler.append("y") } else { mangler.appendType(result) }
        appendParameters(parameters, to: &mangler)
        if isThrowing { mangler.append("K") }
        mangler.append("F")
        return mangler.text
    }

    private func appendParameters(_ parameters: [Parameter], to mangler: inout SymbolMangler) {
        if parameters.isEmpty {
            mangler.append("y")
        } else if parameters.count == 1, parameters[0].label == nil, !parameters[0].type.isTuple {
            mangler.appendType(parameters[0].type)
        } else {
            mangler.appendTuple(parameters.map { (nil, $0.type, "") })
        }
    }

    private func accessor(_ type: MangledType, _ suffix: String) -> String {
        var mangler = begin()
        mangler.appendType(type)
        mangler.append(suffix)
        return mangler.text
    }

    private func begin() -> SymbolMangler {
        var mangler = SymbolMangler()
        mangler.appendNominal(owner)
        if let extensionModule {
            mangler.appendModule(extensionModule)
            mangler.append("E")
        }
        mangler.appendName(name, discriminator: discriminator)
        return mangler
    }
}

extension MangledType {
    var isTuple: Bool {
        if case .tuple = self { true } else { false }
    }
}
