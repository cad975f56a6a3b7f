// A store with three contexts and controllers over them, changed at random. Used by ResultsFuzzTests: each choice comes
// from the generator, so that a seed reproduces the world.
import Foundation
import GraphSupport
import TestSupport

@testable import ManagedGraph

/// The contexts and the changes made to them.
// Sendable: only one thread uses it at a time.
final class FuzzWorld: @unchecked Sendable {
    var random: SeededNumbers
    let stack: ResultsStack
    let main: NSManagedObjectContext
    let sibling: NSManagedObjectContext
    let child: NSManagedObjectContext
    private(set) var controllers: [FuzzController] = []
    private(set) var log: [String] = []
    private(set) var changes = 0
    /// Whether there was an undo, after which the two sides of a relationship may disagree.
    private var hasUndone = false
    private var lastName = 0
    /// Whether the parent saves its changes, so that all of them reach its child.
    private var parentSaves = false

    /// Whether a new fetch must match a controller's results.
    ///
    /// Not in the child: it receives only saves, and reads its parent's unsaved values for other objects.
    func isComparable(_ made: FuzzController) -> Bool {
        made.controller.managedObjectContext === main && !hasUndone
    }

    init(_ random: SeededNumbers) throws {
        self.random = random
        stack = try ResultsStack(inMemory: true)
        main = stack.context
        sibling = stack.coordinator.makeContext()
        child = main.makeChild()
        for context in [main, sibling, child] {
            context.automaticallyMergesChangesFromParent = true
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        }
        parentSaves = Bool.random(using: &self.random)
        try main.performAndWait {
            if Bool.random(using: &self.random) { main.undoManager = UndoManager() }
            let places = ["A", "B", "C"].map { stack.location($0) }
            for _ in 0..<12 { insert(into: main, at: pick(places)) }
            try main.save()
        }
        try makeControllers()
        if ProcessInfo.processInfo.environment["FUZZ_WORLD"] != nil { logEvents() }
    }

    /// Logs the notifications of the contexts, for debugging one world.
    private func logEvents() {
        for (name, context) in [("main", main), ("child", child)] {
            _ = NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didChangeObjectsNotification,
                object: context,
                queue: nil
            ) { [weak self] notification in
                guard let self else { return }
                for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey] {
                    for object in notification.userInfo?[key] as? Set<NSManagedObject> ?? [] {
                        let address = UInt(bitPattern: ObjectIdentifier(object).hashValue) & 0xffffff
                        let id =
                            (object.entity.name ?? "") + object.objectID.uriRepresentation().lastPathComponent
                            + " @\(address)"
                        let text =
                            object.managedObjectContext == nil
                            ? "" : "\(object.value(forKey: object.entity.name == "Task" ? "text" : "name") ?? "-")"
                        log.append("  \(name) \(key) \(id) \(text) \(object.keysChangedInEvent?.sorted() ?? ["?"])")
                    }
                }
            }
        }
    }

    private func makeControllers() throws {
        for index in 0..<4 {
            let context = index == 3 ? child : main
            let section = pick([nil, nil, "location.name", "priority"])
            let formats = [
                nil, nil, "priority < 3", "priority == 1", "location.name != 'B'", "note == nil AND priority > 0",
                "location == nil OR location.tasks.@count < 5",
                "text BEGINSWITH[c] 'K'", "note != nil OR location.name IN {'A', 'D'}", "NOT (priority IN {1, 2})",
            ]
            let request = NSFetchRequest<ResultTask>(entityName: "Task")
            let sort =
                [section].compactMap { $0 }
                + pick([
                    ["text"], ["priority", "text"], ["location.name", "text"], ["note", "text"],
                ])
            request.sortDescriptors = sort.enumerated().map { place, key in
                key == "text" && chance(4)
                    ? NSSortDescriptor(
                        key: key,
                        ascending: place != 1 || sort.count == 1,
                        selector: "localizedStandardCompare:"
                    ) : NSSortDescriptor(key: key, ascending: place != 1 || sort.count == 1)
            }
            request.predicate = pick(formats).map { NSPredicate(format: $0) }
            if chance(6) { request.fetchLimit = 5 }
            if chance(12) { request.fetchOffset = 2 }
            if chance(3) { request.fetchBatchSize = 3 }
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: context,
                sectionNameKeyPath: section,
                cacheName: nil
            )
            let audiences: [FuzzController.Audience] =
                section == nil ? FuzzController.Audience.allCases : [.table, .snapshots, .nobody]
            let audience = pick(audiences)
            try context.performAndWait {
                let follower = FuzzController(controller, audience, listens: audience == .nobody || chance(2))
                try follower.fetch()
                controllers.append(follower)
                log.append("\(context === main ? "main" : "child") \(request) sections \(section ?? "-") \(audience)")
            }
        }
    }

    // MARK: Steps

    /// Makes some changes and then processes, saves or undoes them.
    func step() throws {
        var context = pick([main, main, main, sibling, child])
        // A child that saves a row that its parent is about to delete makes a second object for it there.
        if context === child, main.performAndWait({ !main.deletedObjects.isEmpty }) { context = main }
        let name = context === main ? "main" : context === child ? "child" : "sibling"
        try context.performAndWait {
            let tasks = objects("Task", context)
            let places = objects("Location", context)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changes += 1
                let change = change(context, tasks.filter { !$0.isDeleted }, places.filter { !$0.isDeleted })
                log.append("\(name): \(change)")
            }
            log.append("\(name): \(try end(context))")
            // Until its deletion is saved, other objects may still refer to a location; the results are then undefined.
            if context.deletedObjects.contains(where: { $0.entity.name == "Location" }) {
                log.append("\(name): \(save(context)) of a deletion")
            }
        }
        if parentSaves { log.append("main: \(main.performAndWait { save(main) })") }
        // Saves reach the other contexts on their queues.
        for _ in 0..<2 {
            for other in [main, sibling, child] { other.performAndWait { other.processPendingChanges() } }
        }
        if chance(40) { try rare() }
    }

    private func change(
        _ context: NSManagedObjectContext,
        _ tasks: [NSManagedObject],
        _ places: [NSManagedObject]
    ) -> String {
        let task = tasks.randomElement(using: &random)
        let text = task?.value(forKey: "text") as? String ?? "-"
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: return "insert \(insert(into: context, at: places.randomElement(using: &random)))"
        case 2:
            task.map { context.delete($0) }
            return "delete \(text)"
        case 3:
            task?.setValue(Int.random(in: 0...4, using: &random), forKey: "priority")
            return "priority of \(text)"
        case 4:
            task?.setValue(places.randomElement(using: &random), forKey: "location")
            return "location of \(text)"
        case 5:
            task?.setValue(Bool.random(using: &random) ? "note" : nil, forKey: "note")
            return "note of \(text)"
        case 6:
            let name = pick(["A", "B", "C", "D", "E"])
            places.randomElement(using: &random)?.setValue(name, forKey: "name")
            return "rename a location to \(name)"
        case 7:
            task?.setValue(nil, forKey: "location")
            return "no location for \(text)"
        case 9 where context !== child && chance(3): return batch(context)
        case 8:
            lastName += 1
            task?.setValue("\(pick(["a", "m", "z"]))\(lastName)", forKey: "text")
            return "rename \(text)"
        default:
            if context !== child, places.count > 2, let place = places.randomElement(using: &random) {
                context.delete(place)
                return "delete a location"
            }
            let place = NSEntityDescription.insertNewObject(forEntityName: "Location", into: context)
            place.setValue(pick(["A", "C", "F"]), forKey: "name")
            return "insert a location"
        }
    }

    /// Changes rows without objects; the contexts merge that.
    private func batch(_ context: NSManagedObjectContext) -> String {
        let priority = Int.random(in: 0...4, using: &random)
        let update = NSBatchUpdateRequest(entityName: "Task")
        update.predicate = NSPredicate(format: "priority == %d AND text < 'm'", priority)
        update.propertiesToUpdate = ["priority": 4 - priority, "note": "batch"]
        update.mergesIntoContexts = true
        do {
            try context.execute(update)
            return "batch update of priority \(priority)"
        } catch {
            return "batch update failed: \(error)"
        }
    }

    private func end(_ context: NSManagedObjectContext) throws -> String {
        switch context === main && parentSaves ? 5 : Int.random(in: 0..<12, using: &random) {
        case 0..<4:
            context.processPendingChanges()
            return "process"
        case 4..<8:
            return save(context)
        case 8:
            context.rollback()
            return "rollback"
        case 9:
            context.processPendingChanges()
            if context.undoManager?.canUndo == true {
                context.undo()
                hasUndone = true
            }
            context.processPendingChanges()
            return "undo"
        case 10:
            context.processPendingChanges()
            if context.undoManager?.canRedo == true {
                context.redo()
                hasUndone = true
            }
            context.processPendingChanges()
            return "redo"
        default:
            context.processPendingChanges()
            guard let object = objects("Task", context).randomElement(using: &random) else { return "nothing" }
            // Discarding one side of a changed relationship would make the other side wrong.
            let merges =
                Bool.random(using: &random) || object.hasChanges || !context.deletedObjects.isEmpty
            context.refresh(object, mergeChanges: merges)
            context.processPendingChanges()
            return "refresh, merging \(merges)"
        }
    }

    private func save(_ context: NSManagedObjectContext) -> String {
        do {
            try context.save()
            return "save"
        } catch {
            context.rollback()
            return "save failed, rollback"
        }
    }

    /// Removes and restores a delegate, fetches with another predicate, or resets a context.
    private func rare() throws {
        let follower = pick(controllers)
        guard follower.controller.managedObjectContext === main || parentSaves else { return }
        let context = follower.controller.managedObjectContext
        try context.performAndWait {
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where follower.audience != .nobody:
                log.append("the delegate goes and comes back")
                follower.controller.delegate = nil
                follower.setDelegate()
            case 1:
                log.append("another predicate")
                follower.controller.fetchRequest.predicate = pick([nil, NSPredicate(format: "priority < 2")])
                try follower.fetch()
            default:
                log.append("reset")
                try reset(context)
            }
        }
    }

    private func reset(_ context: NSManagedObjectContext) throws {
        context.reset()
        for other in controllers where other.controller.managedObjectContext === context { try other.fetch() }
        // After a reset of the parent, the child's state is outdated as well.
        if context === main { try child.performAndWait { () throws in try reset(child) } }
    }

    // MARK: Parts

    func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// All objects of an entity, in a reproducible order.
    private func objects(_ entity: String, _ context: NSManagedObjectContext) -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: entity == "Task" ? "text" : "name", ascending: true)]
        let objects = (try? context.fetch(request)) ?? []
        return objects.filter { !$0.isDeleted }
    }

    @discardableResult
    private func insert(into context: NSManagedObjectContext, at place: NSManagedObject?) -> String {
        lastName += 1
        let text = "\(pick(["b", "k", "t"]))\(lastName)"
        let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
        task.setValue(text, forKey: "text")
        task.setValue(Int.random(in: 0...4, using: &random), forKey: "priority")
        task.setValue(place, forKey: "location")
        return text
    }
}
