// The last step of a check: reads the whole store as a program would, as managed objects with each attribute and both
// directions of each relationship, a few hundred objects at a time.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    /// Reads all objects of the SQLite store.
    func walkObjects() throws {
        guard let resolvedModel, let snapshotFile else { return }
        guard resolvedModel.fits || schema.missing(in: tables).isEmpty else { return }
        try walkObjects(
            resolvedModel,
            type: NSSQLiteStoreType,
            options: [
                NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
                StoreOptions.snapshotFile: snapshotFile,
            ]
        )
    }

    /// Reads all objects of a store of any type.
    func walkObjects(_ resolvedModel: ResolvedModel, type: String, options: [AnyHashable: Any]) throws {
        try NSPersistentStoreCoordinator.using(
            url,
            type: type,
            model: resolvedModel.model,
            configuration: resolvedModel.configuration,
            options: options
        ) { context in
            for entity in entities {
                step(entity.name) { try walk(entity, context) }
            }
            if report.history != nil { step("The history") { try walkHistory(context) } }
        }
    }

    private func walk(_ entity: Entity, _ context: NSManagedObjectContext) throws {
        let identifiers = try context.identifiers(of: entity.name)
        report.entities.append((entity.name, identifiers.count))
        guard !identifiers.isEmpty, let layout = identifiers.first?.layout else { return }
        let relationships = (layout.toOneSlots + layout.toManySlots).map { layout.slots[$0].name }
        var sides = Sides()
        for start in stride(from: 0, to: identifiers.count, by: NSManagedObjectContext.portion) {
            let portion = Array(identifiers[start..<min(start + NSManagedObjectContext.portion, identifiers.count)])
            let objects = try context.objects(portion, of: entity.name, prefetching: relationships)
            if objects.count != portion.count {
                problems.add("\(entity.name): \(objects.count) of \(portion.count) rows can be read by their keys.")
            }
            sides.beginPortion()
            for object in objects { walk(object, &sides) }
            context.reset()
        }
    }

    /// One side of a relationship whose members have been read.
    private struct Side: Hashable {
        let object: NSManagedObjectID
        let name: String
    }

    /// The members of sides that have been read, kept for later portions: the objects of many portions may belong to one.
    private struct Sides {
        /// The most objects and members that are kept.
        static let limit = 250_000

        private var members: [Side: Set<NSManagedObjectID>] = [:]
        /// The sides that were read in the current portion.
        private var currentSides: Set<Side> = []
        private var count = 0

        mutating func beginPortion() { currentSides.removeAll(keepingCapacity: true) }

        /// Whether an object is a member of a side; `read` returns the members.
        mutating func contains(
            _ object: NSManagedObjectID,
            in side: Side,
            read: () -> Set<NSManagedObjectID>
        ) -> Bool {
            if members[side]?.contains(object) == true { return true }
            if currentSides.contains(side) { return false }
            // Other programs may have saved since an earlier portion.
            let newMembers = read()
            if let oldMembers = members.removeValue(forKey: side) { count -= oldMembers.count + 1 }
            if count + newMembers.count >= Self.limit {
                members.removeAll()
                currentSides.removeAll()
                count = 0
            }
            members[side] = newMembers
            currentSides.insert(side)
            count += newMembers.count + 1
            return newMembers.contains(object)
        }
    }

    private func walk(_ object: NSManagedObject, _ sides: inout Sides) {
        let place = object.entity.name ?? ""
        let row = object.objectID.key.primaryKey
        for slot in object.layout.slots where slot.kind == .attribute && slot.isStored {
            guard let index = object.layout.slot(named: slot.name) else { continue }
            if case .any(let box) = object.currentValue(index), box.value is UnreadableValue {
                notes.add(
                    "\(place).\(slot.name), row \(row): the bytes cannot be decoded here; a transformer or a class is "
                        + "missing.",
                    kind: "\(place).\(slot.name): bytes without a value"
                )
            }
        }
        for slot in object.layout.slots where slot.kind == .toOne || slot.kind == .toMany {
            for relatedObject in Self.related(object, slot) {
                report.relationships += 1
                guard let name = slot.inverseName, !slot.isTransient,
                    let back = relatedObject.layout.slot(named: name).map({ relatedObject.layout.slots[$0] }),
                    back.inverseName == slot.name
                else { continue }
                let side = Side(object: relatedObject.objectID, name: name)
                let leadsBack = sides.contains(object.objectID, in: side) {
                    Set(Self.related(relatedObject, back).map(\.objectID))
                }
                if !leadsBack {
                    problems.add(
                        "\(place).\(slot.name), row \(row): \(relatedObject.entity.name ?? "") "
                            + "\(relatedObject.objectID.key.primaryKey) does not lead back by \(name).",
                        kind: "\(place).\(slot.name): inverses of objects"
                    )
                }
            }
        }
        do {
            try object.validateForUpdate()
        } catch {
            for detail in CoreDataError.details(error as NSError) {
                let key = detail.userInfo[NSValidationKeyErrorKey] as? String
                // The store has no transient values; the program supplies them.
                if let key, let slot = object.layout.slot(named: key), object.layout.slots[slot].isTransient {
                    continue
                }
                notes.add(
                    "\(place)\(key.map { ".\($0)" } ?? ""), row \(row): \(detail.localizedDescription)",
                    kind: "\(place)\(key.map { ".\($0)" } ?? ""): rules of the model"
                )
            }
        }
    }

    private static func related(_ object: NSManagedObject, _ slot: Slot) -> [NSManagedObject] {
        switch object.value(forKey: slot.name) {
        case let object as NSManagedObject: [object]
        case let objects as NSOrderedSet: objects.array.compactMap { $0 as? NSManagedObject }
        case let objects as NSSet: objects.allObjects.compactMap { $0 as? NSManagedObject }
        case let objects as Set<NSManagedObject>: Array(objects)
        default: []
        }
    }

    private func walkHistory(_ context: NSManagedObjectContext) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        let expected = report.history?.transactions ?? 0
        // Other programs may have saved into a database since its rows were counted.
        let isDatabase = NSPersistentStoreCoordinator.databaseType(of: url) != nil
        if isDatabase ? transactions.count < expected : transactions.count != expected {
            problems.add("The history: \(transactions.count) transactions can be read from \(expected) rows.")
        }
    }
}
