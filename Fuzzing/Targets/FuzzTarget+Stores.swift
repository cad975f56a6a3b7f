// Stores in XML and in binary form, opened with a coordinator as a program does it.
import Foundation
import GraphModelFiles
import GraphSupport
import ManagedGraph

extension FuzzTarget {
    static let stores = [
        FuzzTarget("xml-store", dictionary: "store", seeds: { try SeedFiles.fixtures("Ledger.xml") + written(.xml) }) {
            data in
            open(data, .xml)
        },
        FuzzTarget(
            "binary-store",
            dictionary: "archive",
            seeds: { try SeedFiles.fixtures("Ledger.binary") + written(.binary) }
        ) {
            data in open(data, .binary)
        },
    ]

    /// The model of the fixture; stores of other models are refused.
    ///
    /// One for all, as a model that was used stays in memory.
    private static let model: NSManagedObjectModel? = try? NSManagedObjectModel(
        ModelFile.readModel(at: SeedFiles.url("Ledger.xcdatamodel"))
    )

    private static func coordinator() throws -> NSPersistentStoreCoordinator {
        guard let model else { throw CocoaError(.fileReadNoSuchFile) }
        return NSPersistentStoreCoordinator(managedObjectModel: model)
    }

    /// Opens a store, reads all objects, saves a new one, and closes it.
    private static func open(_ data: Data, _ type: NSPersistentStore.StoreType) {
        do {
            let file = ScratchFile(type.rawValue)
            try data.write(to: file.url)
            let coordinator = try coordinator()
            let store = try coordinator.addPersistentStore(type: type, at: file.url)
            let context = coordinator.makeContext()
            try context.performAndWait { () throws in
                for entity in coordinator.managedObjectModel.entities where entity.superentity == nil {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                    for object in try context.fetch(request) {
                        for name in object.entity.propertiesByName.keys { _ = object.value(forKey: name) }
                    }
                }
            }
            try coordinator.remove(store)
        } catch {
            precondition(!error.localizedDescription.isEmpty, "An error has no message.")
        }
    }

    /// An empty store of our own.
    private static func written(_ type: NSPersistentStore.StoreType) throws -> [Data] {
        let file = ScratchFile(type.rawValue)
        let coordinator = try coordinator()
        let store = try coordinator.addPersistentStore(type: type, at: file.url)
        try coordinator.remove(store)
        return [try Data(contentsOf: file.url)]
    }
}

/// A file in memory, removed with the object.
final class ScratchFile {
    let url: URL
    private static let folder: URL = {
        let memory = URL(filePath: "/dev/shm")
        let place =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        return place.appending(path: "managedgraph-fuzzing-\(ProcessInfo.processInfo.processIdentifier)")
    }()

    init(_ name: String) {
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        url = Self.folder.appending(path: name)
        removeAll()
    }

    deinit {
        removeAll()
        // The folder goes with its last file.
        rmdir(Self.folder.path)
    }

    private func removeAll() {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + end) }
    }
}
