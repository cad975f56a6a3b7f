// The files of Tests/Fixtures, which make.py writes from the documented formats, and stores opened from copies of them.
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph

enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    static func url(_ name: String) -> URL { folder.appending(path: name) }

    static func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

    /// A model whose classes do not exist here.
    static func model(_ name: String) throws -> NSManagedObjectModel {
        let model = try NSManagedObjectModel(readingFrom: url(name))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        return model
    }

    /// The two versions of the harbour.
    static func harbour(_ version: Int) throws -> NSManagedObjectModel {
        try model("Harbour.xcdatamodeld/Harbour\(version == 1 ? "" : " \(version)").xcdatamodel")
    }

    /// Runs `body` with a copy of a store, its log, and its external files in a temporary folder.
    static func withCopy<R>(of name: String, _ body: (URL) throws -> R) throws -> R {
        let manager = FileManager.default
        let copies = manager.temporaryDirectory.appending(path: "fixture-\(UUID().uuidString)")
        try manager.createDirectory(at: copies, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: copies) }
        let support = ".\(url(name).deletingPathExtension().lastPathComponent)_SUPPORT"
        for part in [name, "\(name)-wal", support] where manager.fileExists(atPath: url(part).path) {
            try manager.copyItem(at: url(part), to: copies.appending(path: part))
        }
        return try body(copies.appending(path: name))
    }

    /// The rows of a statement in a SQLite store.
    static func rows(_ statement: String, in url: URL) throws -> [[SQLValue]] {
        let connection = try Connection(path: url.path)
        defer { connection.close() }
        return try connection.rows(statement)
    }

    /// All objects of a store as text.
    static func objects(
        in url: URL,
        _ model: NSManagedObjectModel,
        type: NSPersistentStore.StoreType = .sqlite,
        options: [String: Any] = [:]
    ) throws -> [String] {
        try model.withStore(at: url, type: type, options: options) { try ObjectText.objects(in: $0) }
    }
}

extension NSManagedObjectContext {
    func object(_ entity: String, _ key: Int) throws -> NSManagedObject {
        let objects = try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        guard let object = objects.first(where: { ObjectText.key(of: $0) == key }) else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "no \(entity) \(key)"])
        }
        return object
    }
}
