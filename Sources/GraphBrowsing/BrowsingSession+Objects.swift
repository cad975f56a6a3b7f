// Single objects: all values, large values, objects that refer to one, and candidates for a relationship.
import Foundation
import ManagedGraph

extension BrowsingSession {
    /// One object with all of its values.
    ///
    /// - Parameters:
    ///   - id: The object's name.
    ///   - staged: Changes that the reader has not saved, to be shown in the values.
    /// - Returns: The object.
    /// - Throws: 134060 for a name that is not an object's, 133000 if the object is gone, and errors of the store.
    public func object(_ id: String, staged: StagedEdits? = nil) async throws -> ObjectDetails {
        if let staged, let details = try await staged.details(id) { return details }
        let objectID = try names.objectID(id)
        return try await read { [self] context in
            var details = details(try context.existingObject(with: objectID), isStaged: false)
            details.referrers = try referrers(objectID, in: context)
            return details
        }
    }

    /// The details of an object, on the queue of its context.
    func details(_ object: NSManagedObject, isStaged: Bool) -> ObjectDetails {
        var reader = cells
        reader.textLimit = 100_000
        let changed = isStaged ? object.changedValues() : [:]
        let properties = (shapes[object.entity.name ?? ""]?.properties ?? []).filter { $0.subentity == nil }
        return ObjectDetails(
            link: reader.link(object),
            state: object.isInserted ? .inserted : object.isDeleted ? .deleted : changed.isEmpty ? nil : .updated,
            fields: properties.map {
                .init(property: $0, cell: reader.cell(object, $0), isChanged: changed[$0.name] != nil)
            },
            referrers: [],
            uri: object.objectID.uriRepresentation().absoluteString
        )
    }

    /// The objects that refer to one by relationships without an inverse.
    private func referrers(_ id: NSManagedObjectID, in context: NSManagedObjectContext) throws
        -> [ObjectDetails.Referrer]
    {
        var ancestors: Set<String> = []
        var entity: NSEntityDescription? = id.entity
        while let current = entity {
            ancestors.insert(current.name ?? "")
            entity = current.superentity
        }
        var result: [ObjectDetails.Referrer] = []
        for name in shapes.names {
            guard let shape = shapes[name] else { continue }
            let inherited = Set(shape.parent.flatMap { shapes[$0]?.properties.map(\.name) } ?? [])
            for property in shape.properties
            where property.subentity == nil && property.kind != .attribute && property.inverse == nil
                && ancestors.contains(property.destination ?? "") && !inherited.contains(property.name)
            {
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                let format = property.kind == .toMany ? "ANY %K == %@" : "%K == %@"
                request.predicate = NSPredicate(format: format, property.name, id)
                let count = try context.count(for: request)
                result.append(
                    .init(entity: name, relationship: property.name, count: count)
                )
            }
        }
        return result
    }

    /// The bytes of a binary attribute.
    ///
    /// - Parameters:
    ///   - property: The attribute.
    ///   - id: The object's name.
    ///   - staged: Changes that the reader has not saved.
    /// - Returns: The bytes; nil if there is no value.
    /// - Throws: 134060 for a name that is not an object's and a property that is not a binary attribute, 133000 if the
    ///   object is gone, and errors of the store.
    public func binary(_ property: String, of id: String, staged: StagedEdits? = nil) async throws -> BinaryValue? {
        let value: Data?
        if let staged, let change = try await staged.binary(property, of: id) {
            value = change
        } else {
            let objectID = try names.objectID(id)
            value = try await read { context in
                let object = try context.existingObject(with: objectID)
                guard object.entity.attributesByName[property]?.attributeType == .binaryDataAttributeType else {
                    throw CoreDataError.make(
                        NSCoreDataError,
                        "\(object.entity.name ?? "").\(property) is not a binary attribute.",
                        remedy: "Open a cell with binary data."
                    )
                }
                return object.value(forKey: property) as? Data
            }
        }
        return value.map {
            let form = BinaryForm.of($0)
            return BinaryValue(data: $0, form: form.name, mediaType: form.mediaType ?? "application/octet-stream")
        }
    }

    /// Objects that a relationship can lead to, for a picker.
    ///
    /// - Parameters:
    ///   - entity: The destination of the relationship.
    ///   - search: A part of any text of the objects; empty for all.
    ///   - limit: The greatest number of objects.
    /// - Returns: The objects, sorted by title.
    /// - Throws: 134060 if the model does not have the entity, and errors of the store.
    public func candidates(_ entity: String, search: String, limit: Int = 50) async throws -> [ObjectLink] {
        let shape = try shapes.required(entity)
        let texts = shape.properties.filter { $0.subentity == nil && $0.cell == .text && $0.isSortable }.map(\.name)
        let (reader, title) = (cells, shape.titleProperty)
        return try await read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.fetchLimit = limit
            if let title { request.sortDescriptors = [NSSortDescriptor(key: title, ascending: true)] }
            let words = search.split(separator: " ").map(String.init)
            if !words.isEmpty, !texts.isEmpty {
                let all = words.map { word in
                    NSCompoundPredicate(
                        orPredicateWithSubpredicates: texts.map { NSPredicate(format: "%K CONTAINS[cd] %@", $0, word) }
                    )
                }
                request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: all)
            }
            return try context.fetch(request).map(reader.link)
        }
    }
}

extension StagedEdits {
    /// The details of an object with staged changes; nil for any other.
    func details(_ id: String) async throws -> ObjectDetails? {
        await context.perform { [self] in
            let objects = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
            guard let object = objects.first(where: { reader.names.name($0.objectID) == id }) else { return nil }
            return session.details(object, isStaged: true)
        }
    }

    /// The staged bytes of an attribute; nil if it has no staged change.
    func binary(_ property: String, of id: String) async throws -> Data?? {
        await context.perform { [self] in
            let objects = context.insertedObjects.union(context.updatedObjects)
            guard let object = objects.first(where: { reader.names.name($0.objectID) == id }),
                let value = object.changedValues()[property]
            else { return nil }
            return .some(value as? Data)
        }
    }
}
