// The name of a class, struct, enum or protocol in linker symbols. Created by TypeResolver and the tables of known
// types, used by SymbolMangler. Independent of the type's spelling in source text.

/// A nominal type by its module and the types that enclose it.
package struct NominalType: Hashable, Sendable {
    /// The kind of a component; the raw value is its mangling operator.
    package enum Kind: String, Hashable, Sendable {
        case `class` = "C"
        case structure = "V"
        case enumeration = "O"
        case `protocol` = "P"
    }

    /// One name of the chain, from the outermost type inwards.
    package struct Component: Hashable, Sendable {
        package var name: String
        package var kind: Kind
        /// For a private type: the discriminator of its file.
        package var discriminator: String?
        /// The module of the extension that declares this component, if it is not the module of the extended type.
        package var extensionModule: String?
    }

    package var module: String
    package var components: [Component]

    /// The type that encloses this one, or nil at the top of a module.
    var parent: NominalType? {
        components.count > 1 ? NominalType(module: module, components: Array(components.dropLast())) : nil
    }
}

extension NominalType {
    package init(module: String, name: String, kind: Kind) {
        self.init(module: module, components: [Component(name: name, kind: kind)])
    }
}
