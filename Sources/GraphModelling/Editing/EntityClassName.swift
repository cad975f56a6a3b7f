// The class of an entity as model files spell it. Used by ModelEditor and ModelPainter.

/// A class name and its module.
struct EntityClassName {
    /// The class; nil for `NSManagedObject`.
    var name: String?
    /// The module; empty for the current product's module, nil for none.
    var module: String?

    init(name: String?, module: String?) {
        self.name = name
        self.module = module
    }

    /// Reads `Task`, `App.Task` or `.Task`.
    init(_ qualifiedName: String?) {
        guard let qualifiedName else { return }
        guard let dot = qualifiedName.lastIndex(of: ".") else {
            name = qualifiedName
            return
        }
        name = String(qualifiedName[qualifiedName.index(after: dot)...])
        module = String(qualifiedName[..<dot])
    }

    /// The spelling in the model.
    var text: String? { name.map { name in module.map { "\($0).\(name)" } ?? name } }
}
