// A store of one kind in a temporary folder, which a test may open several times.
import Foundation
import GraphSupport
import ManagedGraph
import Testing

/// A store of one kind in a temporary folder, which a test may open several times.
final class StoreWorld {
    let kind: StoreKind
    let folder: URL
    let model: NSManagedObjectModel
    var url: URL { kind.url(in: folder) }

    init(_ kind: StoreKind, model: NSManagedObjectModel = StoreModel.make()) throws {
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: DictionaryStore.storeType)
        self.kind = kind
        self.model = model
        if kind == .distributed { model.distribute() }
        folder = FileManager.default.temporaryDirectory.appending(path: "mgstore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(_ more: [String: Any] = [:], model: NSManagedObjectModel? = nil) throws -> StoreStack {
        if kind == .distributed { model?.distribute() }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? self.model)
        try coordinator.addPersistentStore(
            ofType: kind.type,
            configurationName: nil,
            at: url,
            options: kind.options.merging(more) { _, new in new }
        )
        return StoreStack(coordinator, in: self)
    }
}
