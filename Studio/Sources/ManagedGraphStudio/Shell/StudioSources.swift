// The sources of a studio: those given at its start, and those opened on its first page. Owned by Studio; read
// by pages, requests and sections.
import CoreData
import Foundation
import GraphUpkeep
import Synchronization

/// The sources of one studio, under unique names.
final class StudioSources: Sendable {
    /// Whether pages may open more; nil if they may not.
    let opening: StudioOpening?
    private let list: Mutex<[StudioSource]>

    init(_ sources: [StudioSource], opening: StudioOpening? = nil) {
        self.opening = opening
        list = Mutex(StudioSource.named(sources))
    }

    var all: [StudioSource] { list.withLock { $0 } }

    /// The source that an address names.
    func source(_ id: String) -> StudioSource? { all.first { $0.id == id } }

    /// Adds the model or the store at a place that a reader has entered.
    ///
    /// Blocks until the database of an address replies, so callers run it on a separate thread.
    ///
    /// - Parameter text: A path on the computer of the studio, or the address of a database.
    /// - Returns: The source; the former one if the place is open already.
    /// - Throws: The reason why the place cannot be opened, without passwords.
    func open(_ text: String) throws -> StudioSource {
        guard let opening else {
            throw StudioError(
                "This studio opens nothing else.",
                remedy: "Name the file or the address when you start it.",
                status: .forbidden
            )
        }
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw StudioError(
                "No model and no store is named.",
                remedy: "Enter a path, or an address: postgresql://user@host:port/database?schema=name."
            )
        }
        let url = try StoreAddress.url((text as NSString).expandingTildeInPath)
        if let existing = all.first(where: { $0.place == url }) { return existing }
        try StoreAddress.requireStore(at: url)
        return list.withLock { list in
            list = StudioSource.named(list + [StudioSource(file: url, writable: opening == .writable)])
            return list[list.count - 1]
        }
    }
}

extension StudioSource {
    /// The file or the address; nil for a running program.
    fileprivate var place: URL? {
        switch kind {
        case .model(let url), .store(let url, _): url
        case .container: nil
        }
    }
}
