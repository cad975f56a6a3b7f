// A search field above a table as a value. Made by screens, read by Table and PageRenderer.
import CoreData

/// A field that filters a table's fetched objects in memory while somebody types.
///
/// While it holds words there is one section without a title, and rows cannot be edited.
public struct Search {
    /// The query key that holds the words; a screen with a search field names it in `queryKeys`.
    public static let queryKey = "search"
    /// The most characters that are searched for.
    static let limit = 200

    /// The words in the empty field.
    public var prompt: String
    /// What is searched for; empty where the field is.
    public var text: String
    /// What the rows have to fulfil; nil where nothing is searched for.
    let predicate: NSPredicate?

    /// A search field.
    ///
    /// - Parameters:
    ///   - prompt: the words in the empty field.
    ///   - place: the screen's address, whose query holds what is searched for.
    ///   - predicate: what an object has to fulfil to be found by a text.
    public init(_ prompt: String, at place: Place, predicate: (_ text: String) -> NSPredicate) {
        self.prompt = prompt
        let words = (place.query[Self.queryKey] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        text = String(words.prefix(Self.limit))
        self.predicate = text.isEmpty ? nil : predicate(text)
    }
}
