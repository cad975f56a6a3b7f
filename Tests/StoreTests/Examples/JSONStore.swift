// A store in a JSON file: the worked example of NSAtomicStore in Documentation/Stores.md.
import Foundation
import ManagedGraph

/// Stores objects as entries of a JSON object, by entity and reference.
final class JSONStore: NSAtomicStore {
    static let storeType = "JSON"
    override var type: String { Self.storeType }

    private struct File: Codable {
        var uuid: String
        var metadata: Data
        var objects: [Entry]
    }

    private struct Entry: Codable {
        var entity: String
        var reference: String
        /// Attributes as a property list.
        var attributes: Data
        var relationships: [String: [String]]
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let file = try JSONDecoder().decode(File.self, from: try Data(contentsOf: url))
        let list = try PropertyListSerialization.propertyList(from: file.metadata, format: nil)
        var metadata = list as? [String: Any] ?? [:]
        metadata[NSStoreUUIDKey] = file.uuid
        metadata[NSStoreTypeKey] = storeType
        return metadata
    }

    /// Creates the nodes of all objects, then links them.
    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        let file = try JSONDecoder().decode(File.self, from: try Data(contentsOf: url))
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for entry in file.objects {
            guard let entity = entities[entry.entity] else { throw CocoaError(.fileReadCorruptFile) }
            let identifier = objectID(for: entity, withReferenceObject: entry.reference)
            nodes[entry.reference] = NSAtomicStoreCacheNode(objectID: identifier)
        }
        for entry in file.objects {
            guard let node = nodes[entry.reference] else { continue }
            let list = try PropertyListSerialization.propertyList(from: entry.attributes, format: nil)
            for (name, attribute) in node.objectID.entity.attributesByName {
                let stored = (list as? [String: Any])?[name]
                node.setValue(stored.flatMap { Self.value($0, of: attribute) }, forKey: name)
            }
            for (name, relationship) in node.objectID.entity.relationshipsByName {
                let members = (entry.relationships[name] ?? []).compactMap { nodes[$0] }
                if relationship.isToMany {
                    node.setValue(NSOrderedSet(array: members), forKey: name)
                } else {
                    node.setValue(members.first, forKey: name)
                }
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    /// Writes all nodes; `.atomic` replaces the old file in one step.
    override func save() throws {
        guard let url else { return }
        let objects = try cacheNodes().map { node -> Entry in
            let entity = node.objectID.entity
            var attributes: [String: Any] = [:]
            for (name, attribute) in entity.attributesByName where !attribute.isTransient {
                guard let value = node.value(forKey: name) else { continue }
                attributes[name] = Self.plain(value)
            }
            var relationships: [String: [String]] = [:]
            for name in entity.relationshipsByName.keys {
                let value = node.value(forKey: name)
                let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? [value as Any]
                relationships[name] = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map(name(of:)) }
            }
            let list = try PropertyListSerialization.data(fromPropertyList: attributes, format: .binary, options: 0)
            return Entry(
                entity: entity.name ?? "",
                reference: name(of: node),
                attributes: list,
                relationships: relationships
            )
        }
        let values = (metadata ?? [:]).filter { $0.key != NSStoreUUIDKey && $0.key != NSStoreTypeKey }
        let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        let file = File(uuid: identifier, metadata: list, objects: objects)
        try JSONEncoder().encode(file).write(to: url, options: .atomic)
    }

    private func name(of node: NSAtomicStoreCacheNode) -> String { "\(referenceObject(for: node.objectID))" }

    /// Converts UUIDs, URLs and decimals, which property lists do not support.
    private static func plain(_ value: Any) -> Any {
        switch value {
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let decimal as NSDecimalNumber: "\(decimal)"
        default: value
        }
    }

    private static func value(_ stored: Any, of attribute: NSAttributeDescription) -> Any? {
        switch (attribute.attributeType, stored) {
        case (.UUIDAttributeType, let text as String): UUID(uuidString: text)
        case (.URIAttributeType, let text as String): URL(string: text)
        case (.decimalAttributeType, let text as String): NSDecimalNumber(string: text)
        default: stored
        }
    }
}
