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
    init(_ text: String?) {
        guard let text else { return }
        guard let dot = text.lastIndex(of: ".") else {
            name = text
            return
        }
        name = String(text[text.index(after: dot)...])
        module = String(text[..<dot])
    }

    /// The spelling in the model.
    var text: String? { name.map { name in module.map { "\($0).\(name)" } ?? name } }
}
