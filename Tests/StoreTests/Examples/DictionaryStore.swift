// A store over a service's dictionaries: the worked example of NSIncrementalStore in Documentation/Stores.md.
import Foundation
import ManagedGraph

/// Records of a "service" that lives as long as the process.
final class Records: @unchecked Sendable {
    struct Record {
        var entity: String
        var version: UInt64
        var values: [String: Any]
        /// References by relationship.
        var related: [String: [String]]
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var services: [URL: Records] = [:]

    /// The service at an address.
    static func at(_ url: URL) -> Records {
        lock.withLock {
            if let service = services[url] { return service }
            let newService = Records()
            services[url] = newService
            return newService
        }
    }

    var uuid = UUID().uuidString
    var metadata: [String: Any] = [:]
    var records: [String: Record] = [:]
    var next = 0
}

/// Objects of a service, read one by one.
final class DictionaryStore: NSIncrementalStore {
    static let storeType = "Dictionary"
    override var type: String { Self.storeType }
    /// The objects that the framework has registered; for tests.
    private(set) var registered: [NSManagedObjectID] = []
    private(set) var unregistered: [NSManagedObjectID] = []
    /// The versions of the values that each context has read, for detecting conflicting changes.
    private var readVersions: [Reader: UInt64] = [:]

    private struct Reader: Hashable {
        let context: ObjectIdentifier?
        let objectID: NSManagedObjectID

        init(_ context: NSManagedObjectContext?, _ objectID: NSManagedObjectID) {
            self.context = context.map(ObjectIdentifier.init)
            self.objectID = objectID
        }
    }

    private var service: Records { Records.at(url ?? URL(filePath: "/")) }

    override func loadMetadata() throws {
        var values = service.metadata
        values[NSStoreTypeKey] = type
        values[NSStoreUUIDKey] = service.uuid
        metadata = values
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let request = request as? NSSaveChangesRequest {
            try save(request)
            return []
        }
        // A request for results of any type, such as those of the program's classes.
        if let request = castFetchRequest(request, to: NSFetchRequest<any NSFetchRequestResult>.self) {
            return try fetch(request, context)
        }
        throw NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreUnsupportedRequestTypeError)
    }

    // MARK: Fetching

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>,
        _ context: NSManagedObjectContext?
    ) throws -> [Any] {
        guard let context, let wanted = request.entityName,
            let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName, let entity = entities[wanted]
        else { return [] }
        var objects = service.records.sorted { $0.key < $1.key }.compactMap { reference, record -> NSManagedObject? in
            guard let recordEntity = entities[record.entity],
                request.includesSubentities ? recordEntity.isKindOf(entity: entity) : recordEntity == entity
            else { return nil }
            return context.object(with: newObjectID(for: recordEntity, referenceObject: reference))
        }
        if let predicate = request.predicate { objects = objects.filter { predicate.evaluate(with: $0) } }
        for descriptor in (request.sortDescriptors ?? []).reversed() {
            // The sort is stable, so earlier descriptors take precedence.
            objects = objects.enumerated().sorted { one, other in
                switch descriptor.compare(one.element, to: other.element) {
                case .orderedAscending: true
                case .orderedDescending: false
                case .orderedSame: one.offset < other.offset
                }
            }
            .map(\.element)
        }
        objects = Array(objects.dropFirst(request.fetchOffset))
        if request.fetchLimit > 0 { objects = Array(objects.prefix(request.fetchLimit)) }
        switch request.resultType {
        case .managedObjectIDResultType: return objects.map(\.objectID)
        case .countResultType: return [NSNumber(value: objects.count)]
        case .dictionaryResultType:
            let names = (request.propertiesToFetch ?? []).compactMap { any in
                any as? String ?? (any as? NSPropertyDescription)?.name
            }
            return objects.map { object in
                Dictionary(
                    uniqueKeysWithValues: names.compactMap { name in object.value(forKey: name).map { (name, $0) } }
                )
            }
        default: return objects
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID,
        with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard let record = service.records[reference(objectID)] else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
        }
        readVersions[Reader(context, objectID)] = record.version
        return NSIncrementalStoreNode(objectID: objectID, withValues: record.values, version: record.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        let related = service.records[reference(objectID)]?.related[relationship.name] ?? []
        let identifiers = related.compactMap { reference -> NSManagedObjectID? in
            guard let name = service.records[reference]?.entity, let entity = entities[name] else { return nil }
            return newObjectID(for: entity, referenceObject: reference)
        }
        return relationship.isToMany ? identifiers : identifiers.first ?? NSNull()
    }

    private func reference(_ objectID: NSManagedObjectID) -> String { "\(referenceObject(for: objectID))" }

    // MARK: Saving

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            service.next += 1
            return newObjectID(for: object.entity, referenceObject: "record \(service.next)")
        }
    }

    private func save(_ request: NSSaveChangesRequest) throws {
        service.metadata = metadata ?? [:]
        let changed = (request.updatedObjects ?? []).union(request.deletedObjects ?? [])
        let conflicts = changed.union(request.lockedObjects ?? []).compactMap { object -> NSMergeConflict? in
            let now = service.records[reference(object.objectID)]?.version ?? 0
            guard let read = readVersions[Reader(object.managedObjectContext, object.objectID)], read != now else {
                return nil
            }
            return NSMergeConflict(
                source: object,
                newVersion: Int(now),
                oldVersion: Int(read),
                cachedSnapshot: nil,
                persistedSnapshot: service.records[reference(object.objectID)]?.values
            )
        }
        guard conflicts.isEmpty else {
            throw NSError(
                domain: NSCocoaErrorDomain,
                code: NSManagedObjectMergeError,
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts]
            )
        }
        for object in request.deletedObjects ?? [] { service.records[reference(object.objectID)] = nil }
        for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
            let name = reference(object.objectID)
            var record = Records.Record(entity: object.entity.name ?? "", version: 1, values: [:], related: [:])
            if let old = service.records[name] { record.version = old.version + 1 }
            for (key, attribute) in object.entity.attributesByName where !attribute.isTransient {
                if let value = object.value(forKey: key) { record.values[key] = value }
            }
            for key in object.entity.relationshipsByName.keys {
                let value = object.value(forKey: key)
                let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? [value as Any]
                record.related[key] = members.compactMap { ($0 as? NSManagedObject).map { reference($0.objectID) } }
            }
            service.records[name] = record
            readVersions[Reader(object.managedObjectContext, object.objectID)] = record.version
        }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        registered += objectIDs
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        unregistered += objectIDs
    }
}
