// The texts of the fetches translated so far, by shape. Beside `TranslationCache`.
import GraphEngine
import Synchronization

/// A translated shape: its text and how its values are made from a fetch's constants.
struct TranslationRecipe: Sendable {
    let text: String
    let bindings: [Binding]
    let columns: [ResultColumn]
}
