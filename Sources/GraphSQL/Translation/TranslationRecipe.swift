// A translated fetch without its constants, as the cache keeps it.
import GraphEngine

/// A translated shape: its text and how its values are made from a fetch's constants.
struct TranslationRecipe: Sendable {
    let text: String
    let bindings: [Binding]
    let columns: [ResultColumn]
}
