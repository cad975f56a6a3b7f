// The saved fetches of a model, in a JSON file beside it that people can keep under version control. Used by the
// console.
import Foundation
import GraphArchives
import ManagedGraph

/// A file of named fetches.
public actor SavedQueryFile {
    /// The file.
    public nonisolated let url: URL

    /// The file beside a model or a store: `Shop.queries.json` for `Shop.xcdatamodeld`.
    ///
    /// - Parameter source: The model's or the store's file.
    public init(beside source: URL) {
        url = source.deletingPathExtension().appendingPathExtension("queries.json")
    }

    /// The fetches, sorted by name.
    ///
    /// - Returns: The fetches; none if there is no file.
    /// - Throws: 134060 if the file contains something else, and errors of reading it.
    public func list() throws -> [SavedQuery] {
        guard try FilePlacement.isThere(url.path) else { return [] }
        do {
            return try JSONDecoder().decode([SavedQuery].self, from: Data(contentsOf: url)).sorted { $0.name < $1.name }
        } catch is DecodingError {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(url.lastPathComponent) is not a file of saved queries.",
                remedy: "Correct or remove \(url.path); the studio leaves it as it is."
            )
        }
    }

    /// Saves a fetch, in place of one with the same name.
    ///
    /// - Parameter query: The fetch.
    /// - Returns: All fetches.
    /// - Throws: 134060 if the name is empty, as `list()`, and errors of writing the file; it is then unchanged.
    public func save(_ query: SavedQuery) throws -> [SavedQuery] {
        guard !query.name.allSatisfy(\.isWhitespace) else {
            throw CoreDataError.make(NSCoreDataError, "The query has no name.", remedy: "Enter a name, and save again.")
        }
        var queries = try list().filter { $0.name != query.name }
        queries.append(query)
        return try write(queries)
    }

    /// Removes a fetch.
    ///
    /// - Parameter name: The name.
    /// - Returns: The remaining fetches.
    /// - Throws: As `list()`, and errors of writing the file; it is then unchanged.
    public func remove(_ name: String) throws -> [SavedQuery] { try write(list().filter { $0.name != name }) }

    private func write(_ queries: [SavedQuery]) throws -> [SavedQuery] {
        let sorted = queries.sorted { $0.name < $1.name }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileReplacement.write(encoder.encode(sorted) + Data("\n".utf8), to: url.path)
        return sorted
    }
}
