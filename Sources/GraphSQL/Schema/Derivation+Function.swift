// The functions of texts that derived attributes may call. Called by saves, engines and the checker.
import GraphModel
import GraphPredicates

extension Derivation {
    /// A function of a text; nil for an unknown one.
    package static func call(_ name: String, _ text: String) -> String? {
        switch name {
        case "canonical": TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: true)
        case "uppercase": text.uppercased()
        case "lowercase": text.lowercased()
        default: nil
        }
    }
}
