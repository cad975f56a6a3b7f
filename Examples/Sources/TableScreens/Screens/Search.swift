// A search field above a table as a value. Created by screens, read by Table and PageRenderer.
import CoreData

/// A field that filters a table's fetched objects in memory as the reader types.
///
/// During a search there is one section without a title, and rows cannot be edited.
public struct Search {
    /// The query key of the search text; a screen with a search field lists it in `queryKeys`.
    public static let queryKey = "search"
    /// The maximum length of the search text, in characters.
    static let limit = 200

    /// The placeholder of the empty field.
    public var prompt: String
    /// The search text; empty without a search.
    public var text: String
    /// The predicate that rows must match; nil without a search.
    let predicate: NSPredicate?

    /// Creates a search field.
    ///
    /// - Parameters:
    ///   - prompt: The placeholder of the empty field.
    ///   - place: The screen's address, whose query contains the search text.
    ///   - predicate: Returns the predicate for a search text.
    public init(_ prompt: String, at place: Place, predicate: (_ text: String) -> NSPredicate) {
        self.prompt = prompt
        let words = (place.query[Self.queryKey] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        text = String(words.prefix(Self.limit))
        self.predicate = text.isEmpty ? nil : predicate(text)
    }
}
