// Makes changes of every kind in every entity of a store: updates a row, inserts one with relationships and large
// values, and deletes one. Changes that the model's rules refuse are skipped and counted.
import Foundation
import ManagedGraph

/// Changes a store through managed objects.
final class StoreChanges {
    private let context: NSManagedObjectContext
    private(set) var updated = 0
    private(set) var inserted = 0
    private(set) var deleted = 0
    /// The number of saves that wrote something.
    private(set) var saves = 0
    /// The changes that the model's rules refused.
    private(set) var refused: [String] = []
    /// Existing rows that were changed or deleted, by table.
    private(set) var touched: [String: Set<Int64>] = [:]
    /// Tables in which an existing row was updated.
    private(set) var updatedTables: Set<String> = []
    /// Values that inserted and updated rows must have after the store is reopened.
    private(set) var expected: [(uri: URL, key: String, value: NSObject)] = []
    private(set) var deletedURIs: [URL] = []
    private(set) var externalValues = 0

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// Makes all changes; throws if a save fails for any reason but a rule of the model.
    func make(_ model: NSManagedObjectModel) throws {
        let entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
        for entity in entities { try attempt("update", entity, [{ try self.update(entity) }]) }
        for entity in entities {
            try attempt("insert", entity, [{ try self.insert(entity) }, { try self.insertFamily(entity) }])
        }
        for entity in entities {
            try attempt("delete", entity, (0..<4).map { place in { try self.delete(entity, place) } })
        }
    }

    /// Makes the first of some changes that the model's rules allow.
    private func attempt(_ kind: String, _ entity: NSEntityDescription, _ ways: [() throws -> (() -> Void)?]) throws {
        var reason: String?
        for way in ways {
            guard let note = try way() else { continue }
            context.processPendingChanges()
            fillTransients()
            let changed = context.updatedObjects.union(context.deletedObjects)
            do {
                try context.save()
            } catch let error as NSError
                where error.domain == NSCocoaErrorDomain && (1550...1690).contains(error.code)
            {
                reason = error.localizedDescription
                context.rollback()
                continue
            }
            saves += 1
            for object in changed { touched[PlainReading.table(object.entity), default: []].insert(object.plainKey) }
            return note()
        }
        if let reason { refused.append("\(kind) of \(entity.name ?? ""): \(reason)") }
    }

    /// Sets required transient values, as the program that wrote the store would have done.
    private func fillTransients() {
        for object in context.insertedObjects.union(context.updatedObjects) {
            for attribute in object.entity.attributesByName.values
            where attribute.isTransient && !attribute.isOptional && object.value(forKey: attribute.name) == nil {
                object.setValue(value(attribute, 1, near: nil), forKey: attribute.name)
            }
        }
    }

    /// Inserts an object with new objects in all required relationships.
    private func insertFamily(_ entity: NSEntityDescription) throws -> (() -> Void)? {
        _ = makeFamily(entity, 0)
        return { [self] in inserted += 1 }
    }

    private func makeFamily(_ entity: NSEntityDescription, _ depth: Int) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
        for attribute in settable(entity) {
            if let value = value(attribute, 13 + depth, near: nil) { object.setValue(value, forKey: attribute.name) }
        }
        for case let relationship as NSRelationshipDescription in entity.propertiesByName.values
        where depth < 3 && (!relationship.isOptional || relationship.minCount > 0) {
            let family = relationship.destinationEntity.map { [$0] + $0.subentities } ?? []
            guard let destination = family.first(where: { !$0.isAbstract }) else { continue }
            if relationship.isToMany {
                if (object.value(forKey: relationship.name) as? Set<NSManagedObject>)?.isEmpty == true {
                    object.setValue(Set([makeFamily(destination, depth + 1)]), forKey: relationship.name)
                }
            } else if object.value(forKey: relationship.name) == nil {
                object.setValue(makeFamily(destination, depth + 1), forKey: relationship.name)
            }
        }
        return object
    }

    private func objects(_ entity: NSEntityDescription) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        request.fetchLimit = 4
        return try context.fetch(request)
    }

    private func update(_ entity: NSEntityDescription) throws -> (() -> Void)? {
        guard let object = try objects(entity).first else { return nil }
        var values: [(String, NSObject)] = []
        for attribute in settable(entity) {
            guard let value = value(attribute, 7, near: object.value(forKey: attribute.name)) else { continue }
            object.setValue(value, forKey: attribute.name)
            values.append((attribute.name, value))
        }
        guard !values.isEmpty else { return nil }
        return { [self] in
            updated += 1
            updatedTables.insert(PlainReading.table(entity))
            expect(object, values)
        }
    }

    private func insert(_ entity: NSEntityDescription) throws -> (() -> Void)? {
        let model = try objects(entity).last
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
        var values: [(String, NSObject)] = []
        for attribute in settable(entity) {
            guard let value = value(attribute, 11, near: model?.value(forKey: attribute.name)) else { continue }
            object.setValue(value, forKey: attribute.name)
            values.append((attribute.name, value))
        }
        for case let relationship as NSRelationshipDescription in entity.propertiesByName.values {
            guard let destination = relationship.destinationEntity, !relationship.isTransient else { continue }
            let request = NSFetchRequest<NSManagedObject>(entityName: destination.name ?? "")
            request.fetchLimit = 2
            let others = try context.fetch(request).filter { $0 !== object }
            guard let other = others.last else { continue }
            if !relationship.isToMany {
                object.setValue(other, forKey: relationship.name)
            } else if relationship.isOrdered {
                object.setValue(NSOrderedSet(array: [other]), forKey: relationship.name)
            } else {
                object.setValue(Set([other]), forKey: relationship.name)
            }
        }
        return { [self] in
            inserted += 1
            expect(object, values)
        }
    }

    private func delete(_ entity: NSEntityDescription, _ place: Int) throws -> (() -> Void)? {
        let objects = try objects(entity)
        guard objects.count > 2, place < objects.count else { return nil }
        let object = objects[objects.count - 1 - place]
        let uri = object.objectID.uriRepresentation()
        context.delete(object)
        return { [self] in
            deleted += 1
            deletedURIs.append(uri)
        }
    }

    private func expect(_ object: NSManagedObject, _ values: [(String, NSObject)]) {
        let uri = object.objectID.uriRepresentation()
        // A later change may update the row again; the newest value counts.
        let names = Set(values.map(\.0))
        expected.removeAll { $0.uri == uri && names.contains($0.key) }
        expected += values.map { (uri, $0.0, $0.1) }
    }

    private func settable(_ entity: NSEntityDescription) -> [NSAttributeDescription] {
        entity.attributesByName.values.filter { !$0.isTransient && !($0 is NSDerivedAttributeDescription) }
            .sorted { $0.name < $1.name }
    }

    private func value(_ attribute: NSAttributeDescription, _ number: Int, near old: Any?) -> NSObject? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            NSNumber(value: ((old as? NSNumber)?.intValue ?? number) ^ 1)
        case .booleanAttributeType: NSNumber(value: number == 11)
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: Double(number) + 0.5)
        case .decimalAttributeType: NSDecimalNumber(value: number)
        case .stringAttributeType: ((old as? String ?? "title") + " é\(number)") as NSString
        case .dateAttributeType: NSDate(timeIntervalSinceReferenceDate: Double(number) * 1_000.25)
        case .UUIDAttributeType: NSUUID()
        case .URIAttributeType: NSURL(string: "https://example.org/\(number)")
        case .binaryDataAttributeType: binary(attribute, number)
        // Transformers of other programs are replaced by one that returns the bytes unchanged.
        case .transformableAttributeType:
            attribute.valueTransformerName == nil ? nil : NSData(data: Data(repeating: UInt8(number), count: 50))
        default: nil
        }
    }

    private func binary(_ attribute: NSAttributeDescription, _ number: Int) -> NSObject {
        if attribute.allowsExternalBinaryDataStorage { externalValues += 1 }
        let count = attribute.allowsExternalBinaryDataStorage ? 150_000 : 100
        return NSData(data: Data(repeating: UInt8(number), count: count))
    }
}
