// The steps of a migration by a mapping model: three passes over the entity mappings, in portions that are saved as
// they come, so that memory holds one portion and the keys of the rest. Called by migrateStore.
import Foundation
import GraphModel
import GraphSQLite

extension NSMigrationManager {
    /// The part of the work that each pass takes.
    private static let shares: [Float] = [0.5, 0.4, 0.1]

    final func runPasses() throws {
        let mappings: [NSEntityMapping] = mappingModel.entityMappings
        try check(mappings)
        let policies = try mappings.map(policy)
        let hasOwnPolicies = policies.contains { type(of: $0) != NSEntityMigrationPolicy.self }
        destinations = hasOwnPolicies ? HeldDestinations() : nil
        func each(_ pass: Int, _ body: (NSEntityMapping, NSEntityMigrationPolicy, (Double) -> Void) throws -> Void)
            throws
        {
            let before = Self.shares[..<pass].reduce(0, +)
            for (number, (mapping, policy)) in zip(mappings, policies).enumerated() {
                currentEntityMapping = mapping
                try checkCancellation()
                try body(mapping, policy) { fraction in
                    let part = (Float(number) + Float(fraction)) / Float(mappings.count)
                    migrationProgress = min(0.99, before + Self.shares[pass] * part)
                }
            }
        }
        try each(0, createInstances)
        try each(1, createRelationships)
        try each(2) { mapping, policy, _ in
            try inContexts {
                try policy.performCustomValidation(forMapping: mapping, manager: self)
                try policy.end(mapping, manager: self)
            }
        }
        try checkCancellation()
        try validate()
        try flush(isLast: true)
        if hasOwnPolicies { noted = [:] }
        try verify()
    }

    /// Runs a part of the work on both contexts' queues; unreferenced objects are released at its end.
    private func inContexts<R>(_ body: () throws -> R) throws -> R {
        try destinationContext.performAndWait { () throws -> R in
            try sourceContext.performAndWait { () throws -> R in
                // A value that cannot be read must not become a missing one.
                try destinationContext.throwingFailedReads { try sourceContext.throwingFailedReads(body) }
            }
        }
    }

    /// Saves the objects made so far, without validation; stores that are one file are saved once, at the end.
    private func flush(isLast: Bool = false) throws {
        guard savesInPortions || isLast else { return }
        try inContexts {
            let context = destinationContext
            // Delete rules delete further objects.
            context.processPendingChanges()
            let inserted = Array(context.insertedObjects)
            for object in inserted { expected[object.entity.name ?? "", default: 0] += 1 }
            for object in context.deletedObjects where !object.objectID.isTemporaryID {
                expected[object.entity.name ?? "", default: 0] -= 1
                deletedKeys.insert(MigrationKey(object))
            }
            if context.hasChanges || isLast {
                do {
                    try context.save()
                } catch {
                    throw Self.named(error as NSError)
                }
            }
            destinations?.add(inserted, whole: heldCount)
            newKeys += inserted.map { MigrationKey($0) }
            let keys = pending.mapValues { MigrationKey($0) }
            for name in associations.keys { associations[name]?.rename(keys) }
            pending = [:]
        }
    }

    // MARK: Passes

    private func createInstances(
        _ mapping: NSEntityMapping,
        _ policy: NSEntityMigrationPolicy,
        _ progress: (Double) -> Void
    ) throws {
        try inContexts { try policy.begin(mapping, with: self) }
        if mapping.mappingType != .removeEntityMappingType {
            let keys = try inContexts { try sources(of: mapping, policy) }
            try inPortions(keys, progress) { portion in
                for source in try objects(portion, in: sourceContext) {
                    try checkCancellation()
                    try policy.createDestinationInstances(forSource: source, in: mapping, manager: self)
                }
            }
        }
        try inContexts { try policy.endInstanceCreation(forMapping: mapping, manager: self) }
        try flush()
        progress(1)
    }

    private func createRelationships(
        _ mapping: NSEntityMapping,
        _ policy: NSEntityMigrationPolicy,
        _ progress: (Double) -> Void
    ) throws {
        let table = associations[mapping.name ?? ""] ?? MigrationAssociations()
        let keys = firstOfRun[mapping.name ?? ""].map { Array(table.destinations[$0...]) } ?? table.destinations
        try inPortions(keys, progress) { portion in
            let destinations = try objects(portion, in: destinationContext)
            let sources = try objects(portion.flatMap(table.sources), in: sourceContext)
            try withExtendedLifetime(sources) {
                for destination in destinations {
                    try checkCancellation()
                    try policy.createRelationships(forDestination: destination, in: mapping, manager: self)
                }
            }
        }
        try inContexts { try policy.endRelationshipCreation(forMapping: mapping, manager: self) }
        try flush()
        progress(1)
    }

    /// Calls a closure with portions of the keys, and saves after each of them.
    private func inPortions(
        _ keys: [MigrationKey],
        _ progress: (Double) -> Void,
        _ body: (ArraySlice<MigrationKey>) throws -> Void
    ) throws {
        for start in stride(from: 0, to: keys.count, by: portionSize) {
            let end = min(start + portionSize, keys.count)
            try inContexts { try body(keys[start..<end]) }
            try flush()
            progress(Double(end) / Double(keys.count))
        }
    }

    /// Applies the new model's rules to all objects that were made; the first that fails ends the migration.
    private func validate() throws {
        func check(_ objects: some Sequence<NSManagedObject>) throws {
            for object in objects {
                do {
                    try object.validateForInsert()
                } catch {
                    throw Self.named(error as NSError)
                }
            }
        }
        for start in stride(from: 0, to: newKeys.count, by: portionSize) {
            try checkCancellation()
            try inContexts {
                try check(objects(newKeys[start..<min(start + portionSize, newKeys.count)], in: destinationContext))
            }
        }
        try inContexts { try check(destinationContext.insertedObjects) }
    }

    /// The source's objects of a mapping, by key unless the mapping has its own source expression.
    private func sources(of mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws -> [MigrationKey] {
        guard let name = mapping.sourceEntityName else { return [] }
        if let expression = mapping.sourceExpression {
            let objects = MigrationObjects.list(try value(of: expression, nil, nil, mapping, nil, policy))
            return objects.map { MigrationKey($0) }
        }
        let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        return try sourceContext.fetch(request).map {
            MigrationKey(entity: $0.key.entity, primaryKey: $0.key.primaryKey)
        }
    }

    // MARK: Mappings

    /// Checks that the names in mappings exist; mappings without a name get one.
    private func check(_ mappings: [NSEntityMapping]) throws {
        firstOfRun = [:]
        for mapping in mappings {
            let (old, new) = (mapping.sourceEntityName, mapping.destinationEntityName)
            if mapping.name?.isEmpty != false { mapping.name = "\(old ?? "")To\(new ?? "")" }
            firstOfRun[mapping.name ?? ""] = associations[mapping.name ?? ""]?.destinations.count ?? 0
            if let old, sourceModel.entitiesByName[old] == nil {
                throw CoreDataError.policyFailure(mapping, nil, "the source model has no entity \(old)")
            }
            guard let new else { continue }
            guard destinationModel.entitiesByName[new] != nil else {
                throw CoreDataError.policyFailure(mapping, nil, "the destination model has no entity \(new)")
            }
        }
    }

    private func policy(of mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
        for candidate in ManagedObjectRegistry.classNames(for: name) {
            if let type = NSClassFromString(candidate) as? NSEntityMigrationPolicy.Type { return type.init() }
        }
        throw CoreDataError.make(
            NSEntityMigrationPolicyError,
            "The migration policy \(name) of the entity mapping \(mapping.name ?? "") was not found.",
            reason: "No class of this program has that name",
            remedy:
                "Correct the class's name in the mapping model, as in Module.Class, or link the target that has it.",
            userInfo: ["entity": mapping.destinationEntityName ?? mapping.sourceEntityName ?? ""]
        )
    }

    final func checkCancellation() throws {
        if let cancellation { throw cancellation }
    }

    /// An error of validation or saving, with the entity and the property under the keys that all errors of migrations
    /// have.
    private static func named(_ error: NSError) -> NSError {
        let details = (error.userInfo[NSDetailedErrorsKey] as? [NSError])?.first ?? error
        var info = error.userInfo
        let conflict = (error.userInfo["conflictList"] as? [NSConstraintConflict])?.first
        let object = details.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        info["entity"] =
            info["entity"] ?? object?.entity.name ?? conflict?.conflictingObjects.first?.entity.name
        info["property"] =
            info["property"] ?? details.userInfo[NSValidationKeyErrorKey]
            ?? conflict?.constraint.joined(separator: ", ")
        info["reason"] = info["reason"] ?? details.localizedDescription
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }
}

extension NSManagedObjectModel {
    /// A copy whose objects are plain: classes belong to the program, and to one version only.
    ///
    /// A model that cannot be copied cannot be used either, which the store reports.
    var plain: NSManagedObjectModel {
        var model = schema
        for index in model.entities.indices { model.entities[index].className = nil }
        model.fetchRequestTemplates = []
        return (try? NSManagedObjectModel(model)) ?? self
    }
}
