// The error for the name of an entity that does not exist. Thrown by the translation and by the checks of fetches.
import GraphEngine
import GraphModel

extension TranslationError {
    /// The error for an entity that a store or model (`place`) does not have among its known ones.
    static func unknownEntity(_ name: String, in place: String, among entityNames: [String]) -> TranslationError {
        let nearest = NearestName.of(name, among: entityNames)
        return TranslationError(
            kind: .unknownKey,
            entity: name,
            expression: name,
            reason: "the \(place) has no entity of this name",
            remedy: nearest.map { "Did you mean \"\($0)\"?" }
        )
    }
}
