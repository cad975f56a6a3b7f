// Apple's XML store: one document type, an element for each object, attributes as text, relationships as references.
// Documentation/FileFormats.md describes the format. Built on NSAtomicStore's interface; XMLStoreWriter writes the
// file.
import Foundation

/// A store in Apple's XML format.
final class XMLStore: WholeFileStore {
    override var type: String { NSXMLStoreType }

    /// The first number that Apple assigns to an object.
    static let firstNumber: Int64 = 102

    required init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?,
        configurationName: String?,
        at url: URL,
        options: [AnyHashable: Any]?
    ) {
        super.init(
            persistentStoreCoordinator: coordinator,
            configurationName: configurationName,
            at: url,
            options: options
        )
        lastReference = Self.firstNumber - 1
    }

    /// The file has the names of entities in capitals, and those of properties in lower case.
    override func checkModel(_ model: CompiledModel) throws {
        let layouts = model.layouts.filter { entityNumber($0.stored) > 0 }
        try requireDistinct(layouts.map(\.name)) { "the entities \($0) and \($1)" }
        for layout in layouts {
            try requireDistinct(layout.slots.filter(\.isStored).map(\.name)) {
                "\($0) and \($1) of \(layout.name)"
            }
        }
    }

    private func requireDistinct(_ names: [String], _ both: (String, String) -> String) throws {
        var known: [String: String] = [:]
        for name in names {
            guard let other = known.updateValue(name, forKey: name.lowercased()) else { continue }
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "An XML store cannot hold the objects of the model: its file does not distinguish \(both(other, name)).",
                remedy:
                    "Give one of them a name that differs in more than its capitals, or use a store of another type.",
                userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:]
            )
        }
    }

    override class func metadata(in data: Data) throws(DamagedStoreFile) -> [String: Any] {
        try XMLStoreFile(data).allMetadata
    }

    override class func replacing(_ metadata: [String: Any], in data: Data) throws -> Data {
        var file = try XMLStoreFile(data)
        file.metadata = metadata
        return try XMLStoreWriter.data(file)
    }

    // MARK: Reading

    override func read(_ data: Data) throws(DamagedStoreFile) {
        let file = try XMLStoreFile(data)
        let layouts = layouts { $0.uppercased() }
        lastReference = max(lastReference, file.lastNumber)
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for object in file.objects {
            guard let layout = layouts[object.type.uppercased()] else {
                throw DamagedStoreFile("it has an object of the entity \(object.type), which the model lacks")
            }
            guard nodes[object.identifier] == nil else {
                throw DamagedStoreFile("it has two objects with the id \(object.identifier)")
            }
            let node = WholeFileNode(
                objectID: objectID(for: layout.entity, withReferenceObject: reference(object.identifier))
            )
            nodes[object.identifier] = node
        }
        // Before they reference each other: the store releases them if the file is damaged.
        addCacheNodes(Set(nodes.values))
        let isStrict = StoreOptions.flag(options, NSValidateXMLStoreOption) == true
        var slots = PerEntity { layout -> [String: Slot] in
            // A property that is not stored may have the name of a stored one in other capitals.
            let stored = layout.slots.filter(\.isStored)
            let others = layout.slots.filter { !$0.isStored }
            return Dictionary((stored + others).map { ($0.name.lowercased(), $0) }) { first, _ in first }
        }
        for object in file.objects {
            guard let node = nodes[object.identifier] else { continue }
            try read(object, into: node, slots[node.objectID.layout], nodes, isStrict)
        }
    }

    /// The number in an id, or the id itself if another program wrote it in a different form.
    private func reference(_ identifier: String) -> Any {
        guard identifier.first == "z", let number = Int64(identifier.dropFirst()), number > 0 else { return identifier }
        lastReference = max(lastReference, number)
        return NSNumber(value: number)
    }

    private func read(
        _ object: XMLStoreFile.Object,
        into node: NSAtomicStoreCacheNode,
        _ slots: [String: Slot],
        _ nodes: [String: NSAtomicStoreCacheNode],
        _ isStrict: Bool
    ) throws(DamagedStoreFile) {
        for attribute in object.attributes {
            let place = "\(attribute.name) of \(object.identifier)"
            guard let slot = slots[attribute.name.lowercased()], slot.kind == .attribute, slot.isStored else {
                throw DamagedStoreFile(
                    "\(object.type) has no attribute \(attribute.name), which the file has a value of"
                )
            }
            if isStrict, attribute.type != slot.xmlType {
                throw DamagedStoreFile("\(place) has the type \(attribute.type), in the model \(slot.xmlType)")
            }
            guard let value = slot.value(xml: attribute.text) else {
                throw DamagedStoreFile("\(place) is not of type \(slot.xmlType): \(attribute.text.prefix(40))")
            }
            put(value, slot, into: node)
        }
        let layout = node.objectID.layout
        for relationship in object.relationships {
            let place = "\(relationship.name) of \(object.identifier)"
            guard let slot = slots[relationship.name.lowercased()], slot.kind == .toOne || slot.kind == .toMany,
                let destination = slot.destination.map({ layout.model.layouts[$0] })
            else {
                throw DamagedStoreFile("\(object.type) has no relationship \(relationship.name), which the file has")
            }
            if isStrict { try check(relationship, slot, destination, place) }
            let members = try members(of: relationship, destination, nodes, place)
            guard slot.kind == .toMany || members.count <= 1 else {
                throw DamagedStoreFile("\(place) leads to \(members.count) objects, and is a to-one relationship")
            }
            switch slot.kind {
            case .toOne: node.setValue(members.first, forKey: slot.name)
            default:
                node.setValue(slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: slot.name)
            }
        }
    }

    /// Throws if the file declares a relationship in another way than the model.
    private func check(
        _ relationship: XMLStoreFile.Relationship,
        _ slot: Slot,
        _ destination: ObjectLayout,
        _ place: String
    ) throws(DamagedStoreFile) {
        guard relationship.bounds == slot.xmlBounds, relationship.destination == destination.name.uppercased() else {
            throw DamagedStoreFile(
                "\(place) is \(relationship.bounds) to \(relationship.destination), in the model "
                    + "\(slot.xmlBounds) to \(destination.name.uppercased())"
            )
        }
    }

    private func members(
        of relationship: XMLStoreFile.Relationship,
        _ destination: ObjectLayout,
        _ nodes: [String: NSAtomicStoreCacheNode],
        _ place: String
    ) throws(DamagedStoreFile) -> [NSAtomicStoreCacheNode] {
        var members: [NSAtomicStoreCacheNode] = []
        for reference in relationship.references {
            guard let member = nodes[reference] else {
                throw DamagedStoreFile("\(place) leads to \(reference), which is not in the file")
            }
            guard member.objectID.layout.isKind(of: destination) else {
                throw DamagedStoreFile("\(place) leads to \(reference), which is not an object of \(destination.name)")
            }
            members.append(member)
        }
        return members
    }

    // MARK: Writing

    override func contents() throws -> Data {
        try XMLStoreWriter.data(of: self)
    }
}

extension XMLStoreFile {
    /// The metadata including the type and the UUID, which the file stores separately.
    var allMetadata: [String: Any] {
        metadata.merging([NSStoreTypeKey: NSXMLStoreType, NSStoreUUIDKey: uuid]) { _, new in new }
    }
}
