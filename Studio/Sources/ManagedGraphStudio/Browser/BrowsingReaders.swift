// The sessions of the sections Data and Console: one for each source, and the staged edits of each reader, which survive a
// reload of the page. A reader is a tab, which the page names.
import CoreData
import Foundation
import GraphBrowsing
import Synchronization

/// Opens sources on their first use, and keeps readers' edits.
actor BrowsingReaders {
    /// The limit on readers; beyond it, the longest unused readers without edits are removed.
    private static let limit = 64

    private struct Reader {
        let edits: StagedEdits
        var used: Int
    }

    private struct Name: Hashable {
        let source: String
        let reader: String
    }

    /// A session, and the time that the next snapshot of its file may be made.
    private struct Open {
        var session: BrowsingSession
        var renewal: ContinuousClock.Instant
    }

    /// The models that the studio shows, for stores without one of their own.
    private var models: [URL] {
        sources.all.compactMap { source in
            if case .model(let url) = source.kind { url } else { nil }
        }
    }
    private let sources: StudioSources
    private var sessions: [String: Open] = [:]
    private var readers: [Name: Reader] = [:]
    private var clock = 0
    /// The sources whose stores are closed for a migration, by name.
    private nonisolated let migrating = Mutex<Set<String>>([])

    init(_ sources: StudioSources) { self.sources = sources }

    /// The session of a source; that of a file which another program has changed is one of a new snapshot.
    func session(of source: StudioSource) throws -> BrowsingSession {
        guard !migrating.withLock({ $0.contains(source.id) }) else { throw StudioError.migrating(source) }
        if let open = sessions[source.id] {
            let now = ContinuousClock.now
            guard open.session.isOutdated, now >= open.renewal else { return open.session }
            // A copy of a large file with a log takes long: most of the time belongs to requests.
            let session = try open.session.reopened()
            let end = ContinuousClock.now
            sessions[source.id] = Open(session: session, renewal: end + (end - now) * 10)
            return session
        }
        let session: BrowsingSession
        switch source.kind {
        case .store(let url, let writable):
            session = try open(url, isWritable: writable)
        case .container(let container, _):
            guard !container.persistentStoreCoordinator.persistentStores.isEmpty else {
                throw StudioError(
                    "\(source.title) has no store yet.",
                    remedy: "Reload the page when the program has loaded its stores."
                )
            }
            session = BrowsingSession(container)
        case .model:
            throw StudioError("\(source.title) is a model and has no rows.", remedy: "Open a store of the model.")
        }
        sessions[source.id] = Open(session: session, renewal: .now)
        return session
    }

    /// Opens a store with its own model, or with one that the studio shows.
    private func open(_ store: URL, isWritable: Bool) throws -> BrowsingSession {
        do {
            return try BrowsingSession(store: store, isWritable: isWritable)
        } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
            for model in models {
                if let session = try? BrowsingSession(store: store, model: model, isWritable: isWritable) {
                    return session
                }
            }
            throw StudioError(
                error.localizedDescription,
                remedy: "Start the studio with the model that the store was made with beside the store: "
                    + "managedgraph-studio MODEL.xcdatamodeld \(store.lastPathComponent).",
                code: error.code,
                status: .unprocessableContent
            )
        }
    }

    /// The edits of a reader of a source.
    func edits(of source: StudioSource, reader: String) async throws -> StagedEdits {
        let session = try session(of: source)
        let name = Name(source: source.id, reader: reader)
        clock += 1
        // A snapshot is read-only: there are no edits that a new session would lose.
        if let existing = readers[name], existing.edits.session === session {
            readers[name]?.used = clock
            return existing.edits
        }
        let edits = StagedEdits(session)
        readers[name] = Reader(edits: edits, used: clock)
        if readers.count > Self.limit { await forgetUnused() }
        return edits
    }

    /// Closes the store of a source for its migration, which needs it alone, until `endMigration(of:)`.
    ///
    /// - Parameter source: The source.
    /// - Throws: If another migration has closed it, or a reader has changes that are not saved; the store then stays as it
    ///   is.
    func beginMigration(of source: StudioSource) async throws {
        // Also while the other migration waits for the readers below: it must be the one that starts.
        guard migrating.withLock({ $0.insert(source.id).inserted }) else { throw StudioError.migrating(source) }
        do {
            for (name, reader) in readers where name.source == source.id {
                let state = await reader.edits.state()
                guard state.changes.isEmpty else {
                    throw StudioError(
                        "The section Data has changes of \(source.title) that are not saved.",
                        remedy: "Save or discard them in their tab, or start the studio again. Then migrate the store.",
                        status: .conflict
                    )
                }
            }
            readers = readers.filter { $0.key.source != source.id }
            if let coordinator = sessions.removeValue(forKey: source.id)?.session.coordinator {
                for store in coordinator.persistentStores { try coordinator.remove(store) }
            }
        } catch {
            endMigration(of: source.id)
            throw error
        }
    }

    /// Lets readers open the store of a source again; they see the version that it has then.
    nonisolated func endMigration(of source: String) {
        migrating.withLock { _ = $0.remove(source) }
    }

    /// Forgets the oldest readers without staged changes; edits are never dropped.
    private func forgetUnused() async {
        for (name, reader) in readers.sorted(by: { $0.value.used < $1.value.used }).prefix(Self.limit / 2) {
            let state = await reader.edits.state()
            if state.changes.isEmpty, readers[name]?.used == reader.used { readers[name] = nil }
        }
    }
}

extension StudioError {
    fileprivate static func migrating(_ source: StudioSource) -> StudioError {
        StudioError(
            "\(source.title) is being migrated.",
            remedy: "Wait for the end of the migration.",
            status: .conflict
        )
    }
}
