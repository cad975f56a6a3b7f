// Compares a store before and after a migration, object by object: the objects that correspond, and the old and new
// values of each property. Used by MigrationRehearsal. Both stores are only read.
import Foundation
import GraphArchives
import GraphModel
import GraphSQLite
import ManagedGraph

/// A comparison in progress.
struct MigrationComparison {
    private static let namedProblems = 20

    let source: MigrationSource
    /// Maps old entities and properties to new ones; nil if only the program has the mapping.
    let mapping: ModelMapping?
    /// Maps old objects to new ones.
    let links: MigrationLinks
    /// Whether each object must exist after the migration: a mapping model may leave some out.
    let keepsAll: Bool
    var report: RehearsalReport

    /// Compares the store with its migrated copy.
    mutating func run(_ copy: URL, _ difference: (ObjectDifference) throws -> Void) throws {
        let destination = source.versions.destination.model
        let compiled = try NSManagedObjectModel(destination.withoutClasses)
        let options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        var newReport = report
        try source.read { old in
            try MigrationSource.open(copy, source.type, destination, options) { new in
                if let mapping {
                    for pair in mapping.entities { try compare(pair, old, new, &newReport, difference) }
                } else {
                    try count(destination, old, new, &newReport)
                }
                try validate(compiled, new, &newReport)
            }
        }
        report = newReport
    }

    // MARK: Objects with their keys

    private func compare(
        _ pair: EntityPair,
        _ old: NSManagedObjectContext,
        _ new: NSManagedObjectContext,
        _ report: inout RehearsalReport,
        _ difference: (ObjectDifference) throws -> Void
    ) throws {
        let before = try pair.source.map { try old.identifiers(of: $0) } ?? []
        let after = try pair.destination.map { try new.identifiers(of: $0) } ?? []
        var entity = RehearsalReport.Entity(
            source: pair.source,
            destination: pair.destination,
            before: before.count,
            after: after.count,
            changed: 0
        )
        let there = Dictionary(after.map { ($0.key.primaryKey, $0) }) { first, _ in first }
        for start in stride(from: 0, to: before.count, by: NSManagedObjectContext.portion) {
            let keys = before[start..<min(start + NSManagedObjectContext.portion, before.count)]
            let destinationKeys = Dictionary(keys.map { ($0.key.primaryKey, self.keys(of: $0, pair)) }) { first, _ in
                first
            }
            let objects = try old.objects(Array(keys), of: pair.source, prefetching: nil)
            let newKeys = Set(destinationKeys.values.joined()).sorted().compactMap { there[$0] }
            let newObjects = try new.objects(newKeys, of: pair.destination, prefetching: nil)
            let objectsByKey = Dictionary(newObjects.map { ($0.objectID.key.primaryKey, $0) }) { first, _ in first }
            for object in objects {
                let images = (destinationKeys[object.objectID.key.primaryKey] ?? []).compactMap { objectsByKey[$0] }
                if images.isEmpty, keepsAll, pair.destination != nil { lose(object, &report) }
                if images.isEmpty, isElsewhere(object, pair) { continue }
                if images.isEmpty { entity.gone += 1 }
                for image in images.isEmpty ? [nil] : images.map(Optional.some) {
                    let changes = changes(object, image, pair)
                    guard image == nil || !changes.isEmpty else { continue }
                    entity.changed += 1
                    try difference(
                        ObjectDifference(
                            entity: pair.destination ?? pair.source ?? "",
                            source: object.objectID.uriRepresentation().absoluteString,
                            destination: image?.objectID.uriRepresentation().absoluteString,
                            changes: changes
                        )
                    )
                }
            }
            old.reset()
            new.reset()
        }
        if keepsAll, pair.destination != nil, before.count != after.count {
            report.problems.append(
                "\(pair.destination ?? ""): \(before.count) objects were there before, \(after.count) are there "
                    + "afterwards"
            )
        }
        report.entities.append(entity)
    }

    /// The keys of the objects of the pair's destination that an object has become.
    private func keys(of identifier: NSManagedObjectID, _ pair: EntityPair) -> [Int64] {
        places(of: identifier).filter { $0.entity == pair.destination }.map(\.key)
    }

    private func places(of identifier: NSManagedObjectID) -> [MigrationLinks.Place] {
        let place = MigrationLinks.Place(entity: identifier.entity.name ?? "", key: identifier.key.primaryKey)
        return links.destinations(of: place)
    }

    /// Whether an object has become one of another entity, which is reported with that entity's pair.
    private func isElsewhere(_ object: NSManagedObject, _ pair: EntityPair) -> Bool {
        !keepsAll && places(of: object.objectID).contains { $0.entity != pair.destination }
    }

    private func lose(_ object: NSManagedObject, _ report: inout RehearsalReport) {
        guard report.problems.count < Self.namedProblems else { return }
        report.problems.append("\(object.objectID.uriRepresentation().absoluteString) is not there afterwards")
    }

    // MARK: Properties

    /// The differences between an object and its migrated counterpart; all values if there is no counterpart.
    private func changes(
        _ old: NSManagedObject,
        _ new: NSManagedObject?,
        _ pair: EntityPair
    ) -> [ObjectDifference.Change] {
        var result: [ObjectDifference.Change] = []
        let pairs = pair.attributes + pair.relationships
        if let new {
            for item in pairs {
                let after = text(new, item.destination, isNew: true)
                let before = item.source.flatMap { text(old, $0, isNew: false) }
                guard before != after else { continue }
                result.append(
                    .init(
                        kind: item.source == nil ? .added : .changed,
                        property: item.destination,
                        old: before,
                        new: after
                    )
                )
            }
        }
        let mappedNames = Set(pairs.compactMap(\.source))
        for (name, _) in source.version.model.stored(ofEntityNamed: pair.source ?? "") where !mappedNames.contains(name)
        {
            guard let before = text(old, name, isNew: false) else { continue }
            result.append(.init(kind: .dropped, property: name, old: before, new: nil))
        }
        return result
    }

    /// A value as text, in which related objects appear under their new names so that both sides can be compared.
    private func text(_ object: NSManagedObject, _ path: String, isNew: Bool) -> String? {
        if let stored = unreadable(object, path) { return Self.printed(stored) }
        return switch object.value(forKeyPath: path) {
        case nil, is NSNull: nil
        case let object as NSManagedObject: names([object], isNew).first
        case let objects as NSOrderedSet:
            objects.count == 0
                ? nil
                : "[" + names(objects.array.compactMap { $0 as? NSManagedObject }, isNew).joined(separator: ", ") + "]"
        case let objects as NSSet: list(objects.allObjects.compactMap { $0 as? NSManagedObject }, isNew)
        case let objects as Set<NSManagedObject>: list(Array(objects), isNew)
        case let value?: Self.printed(value)
        }
    }

    /// The bytes of a value whose class or transformer exists only in another program.
    private func unreadable(_ object: NSManagedObject, _ path: String) -> Data? {
        guard let slot = object.layout.slot(named: path), case .any(let box) = object.currentValue(slot) else {
            return nil
        }
        return (box.value as? UnreadableValue)?.stored
    }

    private func list(_ objects: [NSManagedObject], _ isNew: Bool) -> String? {
        let names = names(objects, isNew).sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        return names.isEmpty ? nil : "{" + names.joined(separator: ", ") + "}"
    }

    /// The names of objects: an old object has the name of its first counterpart, or its own if there is none.
    private func names(_ objects: [NSManagedObject], _ isNew: Bool) -> [String] {
        objects.map { object in
            let oldPlace = MigrationLinks.Place(entity: object.entity.name ?? "", key: object.objectID.key.primaryKey)
            let place = isNew ? oldPlace : links.destinations(of: oldPlace).first ?? oldPlace
            return "\(place.entity)/p\(place.key)"
        }
    }

    private static func printed(_ value: Any) -> String {
        switch value {
        case let text as String: "\"\(text)\""
        case let data as Data:
            data.count <= 32
                ? data.base64EncodedString()
                : "\(data.count) bytes, SHA-256 "
                    + "\(SHA256.digest(Array(data)).prefix(8).map { String(format: "%02x", $0) }.joined())…"
        case let date as Date:
            DateText.text(date.timeIntervalSinceReferenceDate) ?? "\(date.timeIntervalSinceReferenceDate)"
        default: "\(value)"
        }
    }

    // MARK: Newly made objects

    /// Counts the objects of each entity, as a mapping model may create entirely new ones.
    private func count(
        _ destination: Model,
        _ old: NSManagedObjectContext,
        _ new: NSManagedObjectContext,
        _ report: inout RehearsalReport
    ) throws {
        func counts(_ model: Model, _ context: NSManagedObjectContext) throws -> [String: Int] {
            var result: [String: Int] = [:]
            for entity in model.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                request.includesSubentities = false
                result[entity.name] = try context.count(for: request)
            }
            return result
        }
        let before = try counts(source.version.model, old)
        let after = try counts(destination, new)
        for name in Set(before.keys).union(after.keys).sorted() {
            report.entities.append(
                .init(
                    source: before[name] == nil ? nil : name,
                    destination: after[name] == nil ? nil : name,
                    before: before[name] ?? 0,
                    after: after[name] ?? 0,
                    changed: 0
                )
            )
        }
    }

    // MARK: Rules

    /// Reports objects that violate the new version's validation rules.
    private func validate(
        _ model: NSManagedObjectModel,
        _ context: NSManagedObjectContext,
        _ report: inout RehearsalReport
    ) throws {
        var findings = Findings()
        for entity in model.entities where !entity.isAbstract {
            guard let name = entity.name else { continue }
            try context.eachObject(of: name, prefetching: nil) { object in
                do {
                    try object.validateForUpdate()
                } catch {
                    for detail in CoreDataError.details(error as NSError) {
                        let key = detail.userInfo[NSValidationKeyErrorKey] as? String ?? ""
                        findings.add(
                            "\(object.objectID.uriRepresentation().absoluteString): \(detail.localizedDescription)",
                            kind: "\(name).\(key)"
                        )
                    }
                }
            }
        }
        report.broken = findings.list()
    }
}
