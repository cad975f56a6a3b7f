// Apple's binary store: all objects in one keyed archive. BinaryStoreFile reads and writes the file; this class maps it
// to the model. Built on NSAtomicStore's interface.
import Foundation
import GraphArchives

/// A store in Apple's binary format.
final class BinaryStore: WholeFileStore {
    override var type: String { NSBinaryStoreType }

    override class func metadata(in data: Data) throws(DamagedStoreFile) -> [String: Any] {
        try BinaryStoreFile(data).metadata
    }

    override class func replacing(_ metadata: [String: Any], in data: Data) throws -> Data {
        let file = try BinaryStoreFile(data)
        return try BinaryStoreFile.data(metadata: metadata, objects: file.objectData, lastNumber: file.lastNumber)
    }

    // MARK: Reading

    override func read(_ data: Data) throws(DamagedStoreFile) {
        let file = try BinaryStoreFile(data)
        let layouts = layouts { $0 }
        lastReference = max(lastReference, file.lastNumber)
        let objects = try file.nodes()
        var nodes: [Int64: NSAtomicStoreCacheNode] = [:]
        for object in objects {
            guard let layout = layouts[object.entityName] else {
                throw DamagedStoreFile("it has an object of the entity \(object.entityName), which the model lacks")
            }
            guard nodes[object.number] == nil else {
                throw DamagedStoreFile("it has two objects with the number \(object.number)")
            }
            lastReference = max(lastReference, object.number)
            let node = WholeFileNode(
                objectID: objectID(for: layout.entity, withReferenceObject: NSNumber(value: object.number))
            )
            nodes[object.number] = node
        }
        // Before they reference each other: the store releases them if the file is damaged.
        addCacheNodes(Set(nodes.values))
        var places = PerEntity { layout in [true, false].map { layout.placesInFile(withTransient: $0) } }
        for object in objects {
            guard let node = nodes[object.number] else { continue }
            try readValues(of: object, into: node, places[node.objectID.layout], file.archive)
            try readRelationships(of: object, into: node, nodes)
        }
    }

    private func readValues(
        of object: BinaryStoreFile.Node,
        into node: NSAtomicStoreCacheNode,
        _ places: [[Slot]],
        _ archive: KeyedArchive
    ) throws(DamagedStoreFile) {
        let layout = node.objectID.layout
        let relationships = layout.slots.count { $0.kind == .toOne || $0.kind == .toMany }
        let fitting = places.first {
            $0.count + relationships == object.values.count || $0.count == object.values.count
        }
        guard let fitting else {
            throw DamagedStoreFile(
                "\(object.entityName) \(object.number) has \(object.values.count) values, and the model's entity has "
                    + "\(layout.placesInFile(withTransient: true).count) attributes and \(relationships) relationships"
            )
        }
        for (slot, reference) in zip(fitting, object.values) where slot.isStored {
            guard let value = try value(reference, slot, archive) else { continue }
            guard Value(value, as: slot.type) != nil else {
                throw DamagedStoreFile(
                    "\(slot.name) of \(object.entityName) \(object.number) is a \(Swift.type(of: value)), not "
                        + slot.type.sentenceName
                )
            }
            put(value, slot, into: node)
        }
    }

    private func value(_ reference: ListValue, _ slot: Slot, _ archive: KeyedArchive) throws(DamagedStoreFile) -> Any? {
        guard archive.resolve(reference) != nil else { return nil }
        if let plain = ArchivedPlainValue.value(reference, of: archive) {
            if plain is NSNull { return nil }
            guard slot.type == .transformable, let data = plain as? Data else { return plain }
            guard isAllowed(data) else { throw refused(slot) }
            guard case .any(let box) = Transforming.value(from: data, slot: slot) else { return nil }
            return box.value
        }
        // Instance of a class: graft it into a separate archive and decode that with the allowed classes.
        var writer = KeyedArchiveWriter()
        let root = writer.graft(reference, of: archive)
        guard let value = Archive.value(of: writer.data(top: ["root": root]), allowed: allowedClasses ?? []) else {
            throw refused(slot)
        }
        return value
    }

    private func refused(_ slot: Slot) -> DamagedStoreFile {
        DamagedStoreFile(
            "a value of \(slot.name) is of a class that is not there, or that NSBinaryStoreSecureDecodingClasses does "
                + "not name"
        )
    }

    /// The classes that values may have in addition to Foundation's own; nil for any.
    private var allowedClasses: [AnyClass]? {
        if StoreOptions.flag(options, NSBinaryStoreInsecureDecodingCompatibilityOption) == true { return nil }
        switch options?[NSBinaryStoreSecureDecodingClasses] {
        case let set as NSSet: return set.allObjects.compactMap { $0 as? AnyClass }
        case let list as [AnyClass]: return list
        case let list as [Any]: return list.compactMap { $0 as? AnyClass }
        default: return nil
        }
    }

    /// Whether archived bytes contain only allowed classes; bytes that are not an archive are left to their
    /// transformer.
    private func isAllowed(_ data: Data) -> Bool {
        guard let allowedClasses, Archive.keyedArchive(data) != nil else { return true }
        let plain: [AnyClass] = [
            NSString.self, NSNumber.self, NSData.self, NSDate.self, NSArray.self, NSDictionary.self, NSSet.self,
            NSOrderedSet.self, NSUUID.self, NSURL.self, NSNull.self,
        ]
        return Archive.value(of: data, allowed: allowedClasses + plain) != nil
    }

    private func readRelationships(
        of object: BinaryStoreFile.Node,
        into node: NSAtomicStoreCacheNode,
        _ nodes: [Int64: NSAtomicStoreCacheNode]
    ) throws(DamagedStoreFile) {
        let layout = node.objectID.layout
        for (name, _, numbers) in object.related {
            let place = "\(name) of \(object.entityName) \(object.number)"
            guard let number = layout.slot(named: name), case let slot = layout.slots[number],
                slot.kind == .toOne || slot.kind == .toMany, let destination = slot.destination
            else { throw DamagedStoreFile("\(place) is not a relationship of the model") }
            var members: [NSAtomicStoreCacheNode] = []
            for number in numbers {
                guard let member = nodes[number], member.objectID.layout.isKind(of: layout.model.layouts[destination])
                else { throw DamagedStoreFile("\(place) leads to \(number), which is not there or of another entity") }
                members.append(member)
            }
            guard slot.kind == .toMany || members.count <= 1 else {
                throw DamagedStoreFile("\(place) leads to \(members.count) objects, and is a to-one relationship")
            }
            if slot.kind == .toOne {
                node.setValue(members.first, forKey: name)
            } else {
                node.setValue(slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: name)
            }
        }
    }

    // MARK: Writing

    override func contents() throws -> Data {
        var archive = KeyedArchiveWriter()
        let map = archive.reserve()
        let nothing = archive.nothing()
        var keys: [ListValue] = []
        var objects: [ListValue] = []
        var places = PerEntity { $0.placesInFile(withTransient: true) }
        for (number, node) in orderedNodes {
            keys.append(archive.plain(.integer(number)))
            objects.append(try write(node, number, places[node.objectID.layout], nothing, &archive))
        }
        archive.fill(
            map,
            classes: ["NSMutableDictionary", "NSDictionary", "NSObject"],
            entries: ["NS.keys": .array(keys), "NS.objects": .array(objects)]
        )
        return try BinaryStoreFile.data(
            metadata: metadata ?? [:],
            objects: archive.data(top: ["mapData": map]),
            lastNumber: lastReference
        )
    }

    private func write(
        _ node: NSAtomicStoreCacheNode,
        _ number: Int64,
        _ places: [Slot],
        _ nothing: ListValue,
        _ archive: inout KeyedArchiveWriter
    ) throws -> ListValue {
        let layout = node.objectID.layout
        var values: [ListValue] = []
        for slot in places {
            guard slot.isStored, let raw = value(of: slot, in: node), !(raw is NSNull) else {
                values.append(nothing)
                continue
            }
            values.append(try write(raw, slot, layout, &archive))
        }
        var related: [(key: ListValue, value: ListValue)] = []
        for slot in layout.slots where slot.kind == .toOne || slot.kind == .toMany {
            values.append(nothing)
            let members = slot.isStored ? destinations(of: node, slot) : []
            guard !members.isEmpty else { continue }
            let numbers = members.map { archive.plain(.integer(self.number(of: $0))) }
            related.append(
                (archive.text(slot.name), archive.collection(numbers, slot.kind == .toOne ? .array : .mutableArray))
            )
        }
        var entries: [String: ListValue] = [
            "NSEntityName": archive.text(layout.name),
            "NSPrimaryKey64": .integer(number),
            "NSAttributeValues": archive.collection(values),
        ]
        if !related.isEmpty { entries["NSRelatedNodes"] = archive.dictionary(related, isMutable: true) }
        return archive.object(["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"], entries)
    }

    private func write(_ value: Any, _ slot: Slot, _ layout: ObjectLayout, _ archive: inout KeyedArchiveWriter) throws
        -> ListValue
    {
        switch Value(value, as: slot.type) {
        case .integer(let number):
            return archive.plain(slot.type == .boolean ? .boolean(number != 0) : .integer(number))
        case .real(let number):
            return slot.type == .date
                ? archive.date(Date(timeIntervalSinceReferenceDate: number)) : archive.plain(.real(number))
        case .string(let text): return archive.text(text)
        case .data(let data): return archive.plain(.data(data))
        case .uuid(let uuid): return archive.uuid(uuid)
        case .url(let url): return archive.url(url)
        case .decimal(let decimal): return archive.decimal(decimal)
        case .any(let box):
            return archive.plain(.data(try Transforming.data(from: box.value, slot: slot, entity: layout.name)))
        default: return archive.nothing()
        }
    }
}

extension ObjectLayout {
    /// The attributes that have a position in a binary store's arrays, in order.
    fileprivate func placesInFile(withTransient: Bool) -> [Slot] {
        inFileOrder {
            $0.kind == .attribute && $0.type != .composite
                && ($0.isStored || withTransient && $0.isTransient || !$0.isTransient)
        }
    }
}
