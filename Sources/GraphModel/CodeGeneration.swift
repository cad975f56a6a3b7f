// The code that Xcode generates for an entity (`codeGenerationType` in model files). Part of `Entity`.

/// The way in which Xcode generates an entity's class.
package enum CodeGeneration: String, Sendable, Hashable {
    /// "Manual/None": the user writes the class.
    case manual = ""
    /// "Class Definition": the class and its properties are generated.
    case classDefinition = "class"
    /// "Category/Extension": the user writes the class, the properties are generated.
    case category = "category"
}
