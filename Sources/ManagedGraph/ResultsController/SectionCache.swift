// Stores the sections of results controllers between runs of a program. A cache only saves time: if its file is invalid
// for any reason, the fetch proceeds without it. Called by NSFetchedResultsController.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQLite

/// The named cache for one fetch.
struct SectionCache {
    private let url: URL
    private let fingerprint: String
    private let store: any DatabaseFileStore

    /// The folder of this program's cache files.
    ///
    /// `ManagedGraph/<bundle identifier, else the process's name>/FetchedResults` in the user's caches folder.
    static var folder: URL? {
        guard let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first else {
            return nil
        }
        let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return caches.appending(path: "ManagedGraph").appending(path: fileName(program))
            .appending(path: "FetchedResults")
    }

    /// Opens a cache.
    ///
    /// - Returns: Nil if the results cannot be cached: unsaved changes, a parent context, a pinned query generation,
    ///   several stores, a store that is not a file, or closures in the request.
    init?(named name: String, _ configuration: ResultsConfiguration, _ context: NSManagedObjectContext) {
        context.endEvent()
        guard let url = Self.url(name), context.parent == nil, context.generation == nil, !context.hasListedChanges,
            let coordinator = context.registry.coordinator
        else { return nil }
        let stores = coordinator.rowStores(for: configuration.layout, among: configuration.request.affectedStores)
        guard stores.count == 1, let store = stores.first as? any DatabaseFileStore, !store.isInMemory,
            let fingerprint = ResultsFingerprint.make(configuration, store: store)
        else { return nil }
        self.url = url
        self.fingerprint = fingerprint
        self.store = store
    }

    /// The state of the store that the next read will see.
    ///
    /// - Parameter context: The context of the next read.
    /// - Returns: Nil while the store is being written.
    func storeState(_ context: NSManagedObjectContext) -> ContentState? {
        // A turn keeps its snapshot, but the cached results must be as new as the state they are stamped with.
        context.renewSnapshots()
        return store.contentState
    }

    /// The file's contents for a state of the store; nil if there are none or they are invalid.
    func contents(for state: ContentState) -> SectionCacheFile? {
        guard let data = try? Data(contentsOf: url), let file = SectionCacheFile(data),
            file.fingerprint == fingerprint, file.state == state.bytes
        else { return nil }
        return file
    }

    /// Writes the results; on failure, no file or the old one remains.
    ///
    /// O(n). Writes atomically: to a temporary file that then replaces the old one.
    func keep(_ list: SectionedList, titles: (String) -> String?, state: ContentState) {
        var file = SectionCacheFile(
            fingerprint: fingerprint,
            state: state.bytes,
            sections: list.sections.map {
                CachedSection(name: $0.name, count: $0.count, indexTitle: titles($0.name))
            },
            keys: [],
            entities: []
        )
        for object in list.objects {
            guard object.key.primaryKey > 0, object.key.store == store.index else { return }
            file.keys.append(object.key.primaryKey)
            file.entities.append(object.key.entity)
        }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try file.data.write(to: url, options: .atomic)
        } catch {
            Diagnosis.log.warning("The cache \(url.path) of a results controller cannot be written: \(error)")
        }
    }

    /// The objects of a valid file, as faults that are read one page at a time.
    ///
    /// - Returns: Nil if the file does not match the model.
    func faults(
        _ file: SectionCacheFile,
        _ configuration: ResultsConfiguration,
        _ context: NSManagedObjectContext
    ) -> [NSManagedObject]? {
        let layouts = configuration.layout.model.layouts
        let family = Set(configuration.family.map(\.index))
        guard file.entities.allSatisfy({ family.contains(Int($0)) && !layouts[Int($0)].isAbstract }) else { return nil }
        let keys = zip(file.entities, file.keys).map { entity, primaryKey in
            ObjectKey(entity: entity, store: store.index, primaryKey: primaryKey)
        }
        let pageSize = max(1, min(configuration.request.fetchBatchSize, FaultPage.limit))
        let rows = PagedObjectKeys(keys, layouts, pageSize: pageSize)
        return context.objects(of: rows, configuration.layout, store: store.index)
    }

    // MARK: Files

    /// Removes the file of one cache, or of all caches of this program.
    static func delete(_ name: String?) {
        guard let url = name.map(url) ?? folder else { return }
        try? FileManager.default.removeItem(at: url)
    }

    /// The file of a cache.
    static func url(_ name: String) -> URL? {
        folder?.appending(path: fileName(name) + ".sections")
    }

    /// A safe file name: letters, digits, `-` and `_` are kept, other bytes become `%` and two digits; names beyond 180
    /// bytes are truncated, and a hash of the whole name is appended.
    private static func fileName(_ name: String) -> String {
        var escapedName = ""
        for byte in name.utf8 {
            let scalar = Unicode.Scalar(byte)
            if byte < 128,
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_".unicodeScalars.contains(scalar)
            {
                escapedName.unicodeScalars.append(scalar)
            } else {
                escapedName += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        guard escapedName.utf8.count > 180 else { return escapedName }
        return escapedName.prefix(160) + "%" + String(FNV1a.hash(name.utf8), radix: 16)
    }
}
