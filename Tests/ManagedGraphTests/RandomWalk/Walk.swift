// A walk: applies steps to contexts and to plain worlds, and compares them after each step.
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport

/// Two contexts over one store, and their expected state.
final class Walk: @unchecked Sendable {
    static let model: NSManagedObjectModel = {
        func id() -> NSAttributeDescription { NSAttributeDescription("id", .integer64AttributeType, default: 0) }
        let item = NSEntityDescription("Item")
        let box = NSEntityDescription("Box")
        let tag = NSEntityDescription("Tag")
        let partner = NSRelationshipDescription("partner", to: item)
        partner.inverseRelationship = partner
        let name = { NSAttributeDescription("name") }
        let count = { NSAttributeDescription("count", .integer64AttributeType, default: 0) }
        item.properties = [id(), name(), count(), partner]
        box.properties = [id(), name(), count()]
        tag.properties = [id(), name(), count()]
        box.relate("items", toMany: true, to: item, "box", rule: .cascadeDeleteRule)
        item.relate("tags", toMany: true, to: tag, "tagged", inverseToMany: true)
        item.relate("parent", to: item, "children", inverseToMany: true)
        box.relate("queue", toMany: true, to: item, "queues", inverseToMany: true, ordered: true)
        return NSManagedObjectModel([item, box, tag])
    }()

    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Walk.model)
    private var contexts: [NSManagedObjectContext] = []
    private var plain = [PlainContext(), PlainContext()]
    private var store = PlainWorld()
    private var lastNumber = 0
    private var note: Notification?

    private let place: WalkStore

    init(_ kind: WalkStore.Kind) throws {
        place = try WalkStore(kind)
        try coordinator.addPersistentStore(
            ofType: kind.type.rawValue,
            configurationName: nil,
            at: kind == .memory ? nil : place.url
        )
        for _ in 0..<2 { contexts.append(makeContext()) }
    }

    private func close() {
        contexts = []
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    private func makeContext() -> NSManagedObjectContext {
        let context = coordinator.makeContext()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.performAndWait { context.undoManager = manager }
        return context
    }

    /// Runs the steps; throws at the first difference.
    static func run(_ steps: [WalkStep], _ kind: WalkStore.Kind) throws {
        let walk = try Walk(kind)
        defer { walk.close() }
        for (number, step) in steps.enumerated() {
            do {
                try walk.take(step)
                try walk.compare(number)
            } catch let failure as WalkFailure {
                throw failure
            } catch {
                throw WalkFailure(step: number, text: "\(step): \((error as NSError).localizedDescription)")
            }
        }
    }

    // MARK: Steps

    private func take(_ step: WalkStep) throws {
        let context = contexts[step.context]
        try context.performAndWait { () throws in
            switch step.action {
            case .process: context.processPendingChanges()
            case .save: try save(step.context)
            case .rollback:
                context.rollback()
                forgetChanges(step.context)
            case .reset:
                context.reset()
                forgetChanges(step.context)
            case .refreshAll: context.refreshAllObjects()
            case .refresh, .refault:
                guard let number = pick(step.one, plain[step.context].world.rows.keys.sorted()),
                    let object = try object(number, context)
                else { return }
                let keeps = step.action == .refresh
                if !keeps, object.hasChanges { return }
                context.refresh(object, mergeChanges: keeps)
            case .undo: undo(step.context, from: \.undone, to: \.redone) { context.undo() }
            case .redo: undo(step.context, from: \.redone, to: \.undone) { context.redo() }
            case .child: try child(step)
            case .fetch: try fetch(step)
            default:
                var view = plain[step.context]
                context.undoManager?.beginUndoGrouping()
                try change(step, context, &view)
                context.undoManager?.endUndoGrouping()
                keep(view, step.context)
            }
        }
    }

    /// Records a change as one undo group, unless it had no effect.
    private func keep(_ view: PlainContext, _ index: Int) {
        let former = plain[index]
        plain[index] = view
        guard contexts[index].undoManager?.undoCount != former.undone.count else { return }
        plain[index].undone.append(
            PlainSnapshot(world: former.world, changed: former.changed, hasStructure: former.hasStructure)
        )
        plain[index].redone = []
    }

    private func undo(
        _ index: Int,
        from: WritableKeyPath<PlainContext, [PlainSnapshot]>,
        to: WritableKeyPath<PlainContext, [PlainSnapshot]>,
        _ body: () -> Void
    ) {
        body()
        guard let snapshot = plain[index][keyPath: from].popLast() else { return }
        plain[index][keyPath: to].append(
            PlainSnapshot(
                world: plain[index].world,
                changed: plain[index].changed,
                hasStructure: plain[index].hasStructure
            )
        )
        plain[index].world = snapshot.world
        plain[index].changed = snapshot.changed
        plain[index].hasStructure = snapshot.hasStructure
    }

    private func forgetChanges(_ index: Int) {
        plain[index] = PlainContext(world: store)
    }

    private func forgetUndo(_ index: Int) {
        contexts[index].undoManager?.removeAllActions()
        plain[index].undone = []
        plain[index].redone = []
    }

    /// Saves, and merges into the other context; skips structural changes in both contexts, which are not modeled.
    private func save(_ index: Int) throws {
        let otherIndex = 1 - index
        if plain[otherIndex].hasStructure { return }
        let context = contexts[index]
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: context,
            queue: nil
        ) { [weak self] in self?.note = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        let removed = Set(store.rows.keys).subtracting(plain[index].world.rows.keys)
        store = plain[index].world
        plain[index].changed = []
        plain[index].deletedElsewhere = []
        plain[index].heldDeleted = []
        plain[index].hasStructure = false
        forgetUndo(index)
        guard let note else { return }
        self.note = nil
        contexts[otherIndex].performAndWait {
            contexts[otherIndex].mergeChanges(fromContextDidSave: note)
            forgetUndo(otherIndex)
        }
        var merged = store
        var changed: Set<PlainContext.Cell> = []
        for cell in plain[otherIndex].changed {
            guard merged.rows[cell.number] != nil, let own = plain[otherIndex].world.rows[cell.number] else { continue }
            changed.insert(cell)
            if cell.key == "name" { merged.rows[cell.number]?.name = own.name }
            if cell.key == "count" { merged.rows[cell.number]?.count = own.count }
        }
        plain[otherIndex].world = merged
        plain[otherIndex].deletedElsewhere.formUnion(removed)
        plain[otherIndex].heldDeleted.formUnion(plain[otherIndex].changed.map(\.number).filter(removed.contains))
        plain[otherIndex].changed = changed
    }

    /// A child context makes some changes and saves them into its parent, or is dropped.
    private func child(_ step: WalkStep) throws {
        let parent = contexts[step.context]
        let child = parent.makeChild()
        var view = plain[step.context]
        var random = SeededNumbers(run: UInt64(step.one))
        var number = lastNumber
        swap(&number, &lastNumber)
        lastNumber = max(number, lastNumber)
        parent.undoManager?.beginUndoGrouping()
        try child.performAndWait { () throws in
            for _ in 0..<(1 + step.two % 5) {
                var inner = WalkStep.random(&random)
                inner.action = Self.changes[inner.one % Self.changes.count]
                try change(inner, child, &view)
            }
            let shown = try Walk.world(child)
            guard shown == view.world else {
                throw WalkFailure(step: -1, text: "the child shows \(Walk.difference(shown, view.world))")
            }
            if step.three % 3 > 0 { try child.save() }
        }
        parent.undoManager?.endUndoGrouping()
        if step.three % 3 > 0 { keep(view, step.context) }
    }

    private static let changes: [WalkStep.Action] = [
        .insert, .setName, .setCount, .setBox, .addTag, .removeTag, .setTags, .setPartner, .setParent, .queue, .delete,
    ]

    private func fetch(_ step: WalkStep) throws {
        let context = contexts[step.context]
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let limit = Int64(step.one % 20)
        request.predicate = NSPredicate(format: "count >= %lld AND (box.count < 10 OR ANY tags.count > 5)", limit)
        request.sortDescriptors = [
            NSSortDescriptor(key: "count", ascending: step.two % 2 == 0), NSSortDescriptor(key: "id", ascending: true),
        ]
        let numbers = try context.fetch(request).map { Walk.number($0) }
        let world = plain[step.context].world
        let expected = world.numbers(.item).filter { number in
            guard let row = world.rows[number], row.count >= limit else { return false }
            let box = row.box.flatMap { world.rows[$0]?.count }
            return box.map { $0 < 10 } ?? false || row.tags.contains { (world.rows[$0]?.count ?? 0) > 5 }
        }
        .sorted { left, right in
            let (a, b) = (world.rows[left]?.count ?? 0, world.rows[right]?.count ?? 0)
            return a == b ? left < right : (a < b) == (step.two % 2 == 0)
        }
        if numbers != expected { throw WalkFailure(step: -1, text: "fetch gives \(numbers), not \(expected)") }
    }

    // MARK: Changes

    private func change(_ step: WalkStep, _ context: NSManagedObjectContext, _ view: inout PlainContext) throws {
        let items = view.world.numbers(.item)
        switch step.action {
        case .insert:
            let kind = PlainRow.Kind.allCases[step.one % 3]
            lastNumber += 1
            let entity = try Walk.entity(kind.rawValue)
            let object = NSManagedObject(entity: entity, insertInto: context)
            object.setValue(lastNumber, forKey: "id")
            object.setValue(Int64(step.two % 20), forKey: "count")
            view.world.rows[lastNumber] = PlainRow(kind: kind, count: Int64(step.two % 20))
            view.hasStructure = true
        case .setName, .setCount:
            guard let number = pick(step.one, view.world.rows.keys.sorted()), let object = try object(number, context)
            else { return }
            if step.action == .setName {
                object.setValue("n\(step.two)", forKey: "name")
                view.world.rows[number]?.name = "n\(step.two)"
                view.changed.insert(.init(number: number, key: "name"))
            } else {
                object.setValue(step.two % 20, forKey: "count")
                view.world.rows[number]?.count = Int64(step.two % 20)
                view.changed.insert(.init(number: number, key: "count"))
            }
        case .setBox:
            guard let item = pick(step.one, items), let object = try object(item, context) else { return }
            let box = step.three % 4 == 0 ? nil : pick(step.two, view.world.numbers(.box))
            let destination = try box.flatMap { try self.object($0, context) }
            if step.three % 2 == 0 || destination == nil {
                object.setValue(destination, forKey: "box")
            } else {
                destination?.mutableSetValue(forKey: "items").add(object)
            }
            view.world.rows[item]?.box = box
            view.hasStructure = true
        case .addTag, .removeTag:
            guard let item = pick(step.one, items), let tag = pick(step.two, view.world.numbers(.tag)),
                let itemObject = try object(item, context), let tagObject = try object(tag, context)
            else { return }
            let (set, member) =
                step.three % 2 == 0
                ? (itemObject.mutableSetValue(forKey: "tags"), tagObject)
                : (tagObject.mutableSetValue(forKey: "tagged"), itemObject)
            if step.action == .addTag { set.add(member) } else { set.remove(member) }
            if step.action == .addTag {
                view.world.rows[item]?.tags.insert(tag)
            } else {
                view.world.rows[item]?.tags.remove(tag)
            }
            view.hasStructure = true
        case .setTags:
            guard let item = pick(step.one, items), let object = try object(item, context) else { return }
            let tags = view.world.numbers(.tag).filter { ($0 &* 7 &+ step.two) % 3 == 0 }
            object.setValue(NSSet(array: try tags.compactMap { try self.object($0, context) }), forKey: "tags")
            view.world.rows[item]?.tags = Set(tags)
            view.hasStructure = true
        case .setPartner:
            guard let item = pick(step.one, items), let object = try object(item, context) else { return }
            let partner = step.three % 4 == 0 ? nil : pick(step.two, items.filter { $0 != item })
            object.setValue(try partner.flatMap { try self.object($0, context) }, forKey: "partner")
            view.world.setPartner(item, partner)
            view.hasStructure = true
        case .setParent:
            guard let item = pick(step.one, items), let object = try object(item, context) else { return }
            let parent = step.three % 4 == 0 ? nil : pick(step.two, items)
            object.setValue(try parent.flatMap { try self.object($0, context) }, forKey: "parent")
            view.world.rows[item]?.parent = parent
            view.hasStructure = true
        case .queue:
            guard let box = pick(step.one, view.world.numbers(.box)), let object = try object(box, context) else {
                return
            }
            var queue = view.world.rows[box]?.queue ?? []
            let proxy = object.mutableOrderedSetValue(forKey: "queue")
            if step.three % 3 == 0, !queue.isEmpty {
                let place = step.two % queue.count
                proxy.removeObject(at: place)
                queue.remove(at: place)
            } else if step.three % 3 == 1, queue.count > 1 {
                proxy.moveObjects(at: IndexSet(integer: step.two % queue.count), to: 0)
                queue.insert(queue.remove(at: step.two % queue.count), at: 0)
            } else if let item = pick(step.two, items.filter { !queue.contains($0) }) {
                proxy.insert(try self.object(item, context) as Any, at: queue.count / 2)
                queue.insert(item, at: queue.count / 2)
            }
            view.world.rows[box]?.queue = queue
            view.hasStructure = true
        case .delete:
            guard let number = pick(step.one, view.world.rows.keys.sorted()), let object = try object(number, context)
            else { return }
            context.delete(object)
            context.processPendingChanges()
            view.world.delete(number)
            view.hasStructure = true
        default: return
        }
    }

    private func pick(_ number: Int, _ from: [Int]) -> Int? { from.isEmpty ? nil : from[number % from.count] }

    private func object(_ number: Int, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
        for kind in PlainRow.Kind.allCases {
            let request = NSFetchRequest<NSManagedObject>(entityName: kind.rawValue)
            request.predicate = NSPredicate(format: "id == %lld", Int64(number))
            if let object = try context.fetch(request).first { return object }
        }
        throw WalkFailure(step: -1, text: "object \(number) is not found")
    }

    // MARK: Comparing

    private func compare(_ step: Int) throws {
        for (index, context) in contexts.enumerated() {
            try context.performAndWait { () throws in
                if let problem = context.invariantViolations(inverses: .all).first {
                    throw WalkFailure(step: step, text: "context \(index): \(problem)")
                }
                let shown = try Walk.world(context)
                guard shown == plain[index].world else {
                    let message = "context \(index) shows \(Walk.difference(shown, plain[index].world))"
                    throw WalkFailure(step: step, text: message)
                }
                let inserted = Set(context.insertedObjects.map { Walk.number($0) })
                let expected = Set(shown.rows.keys).subtracting(store.rows.keys)
                guard inserted == expected else {
                    throw WalkFailure(step: step, text: "context \(index) has inserted \(inserted), not \(expected)")
                }
                let deleted = Set(context.deletedObjects.map { Walk.number($0) })
                let gone = Set(store.rows.keys).subtracting(shown.rows.keys)
                let required = gone.union(plain[index].heldDeleted)
                guard deleted.isSuperset(of: required),
                    deleted.subtracting(gone).isSubset(of: plain[index].deletedElsewhere)
                else {
                    throw WalkFailure(step: step, text: "context \(index) has deleted \(deleted), not \(required)")
                }
                if plain[index].isClean, deleted.isEmpty, context.hasChanges {
                    let sets = [context.insertedObjects, context.updatedObjects, context.deletedObjects]
                    throw WalkFailure(step: step, text: "context \(index) has changes that it should not have: \(sets)")
                }
            }
        }
        guard step % 7 == 0 else { return }
        let third = coordinator.makeContext()
        let shown = try third.performAndWait { () throws in try Walk.world(third) }
        if shown != store { throw WalkFailure(step: step, text: "the store has \(Walk.difference(shown, store))") }
    }

    static func entity(_ name: String) throws -> NSEntityDescription {
        guard let entity = model.entitiesByName[name] else { throw WalkFailure(step: -1, text: "no entity \(name)") }
        return entity
    }

    static func number(_ object: NSManagedObject) -> Int { (object.value(forKey: "id") as? NSNumber)?.intValue ?? -1 }

    /// The visible state of a context; both sides of a relationship must agree.
    static func world(_ context: NSManagedObjectContext) throws -> PlainWorld {
        var world = PlainWorld()
        var inverse: [String] = []
        func numbers(_ object: NSManagedObject, _ key: String) -> Set<Int> {
            Set(
                ((object.value(forKey: key) as? NSSet)?.allObjects ?? []).compactMap {
                    ($0 as? NSManagedObject).map(number)
                }
            )
        }
        var checks: [(PlainWorld) -> String?] = []
        for kind in PlainRow.Kind.allCases {
            for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: kind.rawValue)) {
                let id = number(object)
                var row = PlainRow(kind: kind)
                row.name = object.value(forKey: "name") as? String
                row.count = (object.value(forKey: "count") as? NSNumber)?.int64Value ?? -1
                switch kind {
                case .item:
                    row.box = (object.value(forKey: "box") as? NSManagedObject).map(number)
                    row.partner = (object.value(forKey: "partner") as? NSManagedObject).map(number)
                    row.parent = (object.value(forKey: "parent") as? NSManagedObject).map(number)
                    row.tags = numbers(object, "tags")
                    let children = numbers(object, "children")
                    let queues = numbers(object, "queues")
                    checks.append { world in
                        let expected = world.children(of: id)
                        if children != expected { return "children of \(id): \(children), not \(expected)" }
                        let boxes = Set(world.rows.filter { $0.value.queue.contains(id) }.keys)
                        return queues == boxes ? nil : "queues of \(id): \(queues), not \(boxes)"
                    }
                case .box:
                    row.queue = ((object.value(forKey: "queue") as? NSOrderedSet)?.array ?? [])
                        .compactMap { ($0 as? NSManagedObject).map(number) }
                    let items = numbers(object, "items")
                    checks.append { world in
                        let expected = world.items(of: id)
                        return items == expected ? nil : "items of \(id): \(items), not \(expected)"
                    }
                case .tag:
                    let tagged = numbers(object, "tagged")
                    checks.append { world in
                        let expected = world.tagged(id)
                        return tagged == expected ? nil : "tagged of \(id): \(tagged), not \(expected)"
                    }
                }
                if world.rows[id] != nil { inverse.append("\(id) is there twice") }
                world.rows[id] = row
            }
        }
        inverse += checks.compactMap { $0(world) }
        if let first = inverse.first { throw WalkFailure(step: -1, text: "the sides differ: \(first)") }
        return world
    }

    static func difference(_ shown: PlainWorld, _ expected: PlainWorld) -> String {
        for number in Set(shown.rows.keys).union(expected.rows.keys).sorted() {
            guard shown.rows[number] != expected.rows[number] else { continue }
            let actualRow = shown.rows[number].map { "\($0)" } ?? "nothing"
            let expectedRow = expected.rows[number].map { "\($0)" } ?? "nothing"
            return "\(number) as \(actualRow), not as \(expectedRow)"
        }
        return "no difference"
    }
}
