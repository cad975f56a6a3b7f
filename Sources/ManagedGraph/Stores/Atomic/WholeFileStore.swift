// The common base of Apple's XML and binary stores: one file, read when the store is added and replaced atomically by
// each save; references are numbers. Subclasses implement the formats on NSAtomicStore's public interface.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQLite

/// A store that consists of one file in its own format.
class WholeFileStore: NSAtomicStore {
    override class var place: Place? { .file }

    /// The file's stamp when it was last read or written; nil if there was no file.
    private var stamp: FileStamp?
    /// The highest reference assigned so far.
    var lastReference: Int64 = 0
    /// The references of a file are lower, so that no number of new objects reaches the highest one.
    private static let referenceLimit: Int64 = 1 << 62

    // MARK: Methods that a format implements

    /// Reads the store's UUID and metadata from a file's content.
    class func metadata(in data: Data) throws(DamagedStoreFile) -> [String: Any] {
        throw DamagedStoreFile("the format is not known")
    }

    /// Adds the nodes in a file's content.
    func read(_ data: Data) throws(DamagedStoreFile) {
        throw DamagedStoreFile("the format is not known")
    }

    /// Returns the file's new content.
    func contents() throws -> Data { Data() }

    // MARK: Files

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try reporting(url) { try metadata(in: contents(of: url)) }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        // A save that replaces the file meanwhile must not be lost.
        for _ in 0..<100 {
            let stamp = try url.fileStamp()
            let data = try contents(of: url)
            let oldMetadata = try reporting(url) { try Self.metadata(in: data) }
            let values = StoreMetadata.replacingUserValues(of: oldMetadata, with: metadata)
            let changed = try reporting(url) { try replacing(values, in: data) }
            if try FileReplacement.write(changed, to: url.path, .usual, if: { $0 == stamp }) != nil { return }
        }
        throw changedElsewhere(url)
    }

    /// Returns a file's content with its metadata replaced.
    class func replacing(_ metadata: [String: Any], in data: Data) throws -> Data {
        throw DamagedStoreFile("the format is not known")
    }

    override func load() throws {
        guard let url else { return }
        stamp = try url.fileStamp()
        guard stamp != nil else { return }
        let data = try Self.contents(of: url)
        try Self.reporting(url) {
            try read(data)
            guard lastReference < Self.referenceLimit else {
                throw DamagedStoreFile("an object has the number \(lastReference), after which new objects get none")
            }
        }
    }

    override func save() throws {
        guard let url else { return }
        let former = stamp
        let mayReplace = { (now: FileStamp?) in now == nil || now == former }
        guard mayReplace(try url.fileStamp()) else { throw Self.changedElsewhere(url) }
        let content = try contents()
        let newStamp: FileStamp?
        do {
            // From the draft: the file is saved even if it cannot be examined afterwards.
            let permissions = StoreOptions.permissions(options)
            newStamp = try FileReplacement.write(content, to: url.path, permissions, if: mayReplace)
        } catch let error as CocoaError {
            throw CoreDataError.make(
                error.code.rawValue,
                "The store \(url.lastPathComponent) could not be written: \(error.localizedDescription)",
                remedy: error.systemRemedy
                    ?? "Check the space and the permissions of \(url.deletingLastPathComponent().path).",
                underlying: error,
                userInfo: [NSFilePathErrorKey: url.path]
            )
        }
        // Another coordinator has saved meanwhile.
        guard let newStamp else { throw Self.changedElsewhere(url) }
        stamp = newStamp
    }

    override func relocate(to url: URL) -> Bool {
        do {
            // The file that is there is replaced, unless another program changes it before the save.
            stamp = try url.fileStamp()
        } catch {
            return false
        }
        return super.relocate(to: url)
    }

    private static func changedElsewhere(_ url: URL) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The file \(url.path) was changed by another program since the store was opened. It was not overwritten.",
            remedy: "Remove the store from its coordinator and add it again to read the file's present content.",
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    override func writeNewFile() throws {
        guard stamp == nil, !isReadOnly else { return }
        try save()
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastReference += 1
        return NSNumber(value: lastReference)
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        WholeFileNode(objectID: managedObject.objectID)
    }

    private static func contents(of url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw CoreDataError.cannotOpen(
                url,
                reason: error.localizedDescription,
                remedy: "Check the path and the permissions.",
                code: (error as NSError).domain == NSCocoaErrorDomain
                    ? (error as NSError).code : NSPersistentStoreOpenError,
                underlying: error
            )
        }
    }

    private static func reporting<R>(_ url: URL, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let damage as DamagedStoreFile {
            throw CoreDataError.cannotOpen(
                url,
                reason: damage.reason,
                remedy: "The file was not changed. Restore it from a copy, or add it with the type it was made with."
            )
        }
    }

    // MARK: Helpers for formats

    /// Returns the store's entities, keyed by `key` of their names.
    func layouts(by key: (String) -> String) -> [String: ObjectLayout] {
        var result: [String: ObjectLayout] = [:]
        for layout in persistentStoreCoordinator?.compiledModel.layouts ?? [] where entityNumber(layout.stored) > 0 {
            result[key(layout.name)] = layout
        }
        return result
    }

    /// All nodes in ascending order of their references.
    var orderedNodes: [(number: Int64, node: NSAtomicStoreCacheNode)] {
        cacheNodes().map { (number(of: $0), $0) }.sorted { $0.0 < $1.0 }
    }

    /// The value of an attribute, or of an element inside a composite attribute's dictionary.
    func value(of slot: Slot, in node: NSAtomicStoreCacheNode) -> Any? {
        guard slot.composite >= 0 else { return node.value(forKey: slot.name) }
        let path = slot.name.split(separator: ".").map(String.init)
        var value = node.value(forKey: path[0])
        for part in path.dropFirst() { value = (value as? [String: Any])?[part] }
        return value
    }

    /// Sets the value of an attribute, or of an element inside a composite attribute's dictionary.
    func put(_ value: Any, _ slot: Slot, into node: NSAtomicStoreCacheNode) {
        guard slot.composite >= 0 else { return node.setValue(value, forKey: slot.name) }
        let path = slot.name.split(separator: ".").map(String.init)
        var composite = node.value(forKey: path[0]) as? [String: Any] ?? [:]
        DictionaryPlan.put(value, at: path.dropFirst(), into: &composite)
        node.setValue(composite, forKey: path[0])
    }

    func number(of node: NSAtomicStoreCacheNode) -> Int64 {
        (referenceObject(for: node.objectID) as? NSNumber)?.int64Value ?? node.objectID.key.primaryKey
    }

    /// The destinations of a relationship; those of an unordered one are sorted by number.
    func destinations(of node: NSAtomicStoreCacheNode, _ slot: Slot) -> [NSAtomicStoreCacheNode] {
        let members: [Any]
        switch node.value(forKey: slot.name) {
        case let set as NSOrderedSet: members = set.array
        case let set as NSSet: members = set.allObjects
        case nil: members = []
        case let member?: members = [member]
        }
        let nodes = members.compactMap { $0 as? NSAtomicStoreCacheNode }.filter { cacheNode(for: $0.objectID) === $0 }
        return slot.isOrdered ? nodes : nodes.sorted { number(of: $0) < number(of: $1) }
    }
}

extension ObjectLayout {
    /// The stored attributes in Apple's order: the superentity's first, then by name.
    var attributesInFileOrder: [Slot] {
        inFileOrder { $0.kind == .attribute && $0.isStored }
    }

    /// The relationships in Apple's order: to-one before to-many, each with the superentity's first, then by name.
    var relationshipsInFileOrder: [Slot] {
        inFileOrder { $0.kind == .toOne && $0.isStored } + inFileOrder { $0.kind == .toMany && $0.isStored }
    }

    func inFileOrder(_ isWanted: (Slot) -> Bool) -> [Slot] {
        func depth(_ slot: Slot) -> Int {
            var depth = 0
            var above = entity.superentity
            while let next = above {
                if next.propertiesByName[slots[whole(slotByName[slot.name] ?? 0)].name] == nil { break }
                depth += 1
                above = next.superentity
            }
            return depth
        }
        let slotsByDepth = slots.filter(isWanted).map { slot in (depth: depth(slot), slot: slot) }
        let sorted = slotsByDepth.sorted { first, second in
            first.depth != second.depth ? first.depth > second.depth : first.slot.name < second.slot.name
        }
        return sorted.map(\.slot)
    }
}
