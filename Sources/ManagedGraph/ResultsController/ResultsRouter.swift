// Indexes the results controllers of one context by the changes that affect them: by entity, by the value of one
// property in their predicates, and by properties of related objects. Owned by the context; runs on its queue only.
import Foundation
import Synchronization

/// Routes each change of a context to the controllers it affects, and to no others.
final class ResultsRouter: ContextFollower {
    private struct Entry {
        weak var tracker: ResultsTracker?
        let configuration: ResultsConfiguration
    }

    /// Controllers whose predicates compare one property to a value.
    private struct KeyTable {
        var numbers: Set<Int> = []
        var byValue: [IndexedValue: Set<Int>] = [:]
    }

    /// The controllers that changes of one entity affect.
    private struct Routes {
        /// Controllers that any change may affect.
        var all: Set<Int> = []
        var byKey: [String: KeyTable] = [:]
        /// Controllers whose results a property of this entity places or selects as a related one; nil for any.
        var related: [String?: [Int: [Int]]] = [:]
    }

    private unowned let context: NSManagedObjectContext
    private var entries: [Int: Entry] = [:]
    private var routes: [UInt32: Routes] = [:]
    private var lastNumber = 0
    /// The type of the sets in notifications.
    ///
    /// Its first use in a process searches all conformances, which takes longer than a change. It is used here, so that
    /// the first change need not wait.
    private let setType: Any.Type = Set<NSManagedObject>.self
    private var observers: [any NSObjectProtocol] = []
    /// Controllers to be removed at the next opportunity; they can be deallocated on any thread.
    private let departed = Mutex<[Int]>([])
    /// Controllers that have delivered temporary IDs.
    private var withTemporaryIDs: Set<Int> = []
    /// Changes that are reported after the one that controllers are processing: delegates can save.
    private var waiting: [ContextChange] = []
    private var isDelivering = false
    /// The values of related objects at their last refresh.
    private var seen = SeenValues()
    /// The number of times a controller has examined a change, for tests.
    private(set) var visits = 0

    init(_ context: NSManagedObjectContext) {
        self.context = context
        let target = RouterReference(self)
        observers.append(
            NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didChangeObjectsNotification,
                object: context,
                queue: nil
            ) { target.router?.contextDidChange($0.userInfo ?? [:]) }
        )
        observers.append(
            NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didSaveObjectsNotification,
                object: context,
                queue: nil
            ) { _ in target.router?.contextDidSave() }
        )
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    /// Whether any controller follows the context.
    var isInUse: Bool {
        takeOutDeparted()
        return !entries.isEmpty
    }

    /// Whether changes of an entity may affect any controller.
    func concerns(_ layout: ObjectLayout) -> Bool {
        guard let routes = routes[layout.number] else { return false }
        return !routes.all.isEmpty || routes.byKey.values.contains { !$0.numbers.isEmpty }
            || routes.related.values.contains { !$0.isEmpty }
    }

    // MARK: Registration

    /// Registers a controller; O(entities that affect it).
    func add(_ tracker: ResultsTracker, _ configuration: ResultsConfiguration) -> Int {
        takeOutDeparted()
        seen.forgetAll()
        lastNumber += 1
        let number = lastNumber
        entries[number] = Entry(tracker: tracker, configuration: configuration)
        for layout in configuration.family {
            if let condition = configuration.condition {
                routes[layout.number, default: Routes()].byKey[condition.key, default: KeyTable()].numbers.insert(
                    number
                )
                routes[layout.number]?.byKey[condition.key]?.byValue[condition.value, default: []].insert(number)
            } else {
                routes[layout.number, default: Routes()].all.insert(number)
            }
        }
        for (index, related) in configuration.relatedKeys.enumerated() {
            for layout in related.key.layouts {
                routes[layout.number, default: Routes()].related[related.key.key, default: [:]][number, default: []]
                    .append(index)
            }
        }
        return number
    }

    /// Unregisters a controller.
    func remove(_ number: Int) {
        withTemporaryIDs.remove(number)
        guard let configuration = entries.removeValue(forKey: number)?.configuration else { return }
        for layout in configuration.family {
            routes[layout.number]?.all.remove(number)
            guard let condition = configuration.condition else { continue }
            routes[layout.number]?.byKey[condition.key]?.numbers.remove(number)
            routes[layout.number]?.byKey[condition.key]?.byValue[condition.value]?.remove(number)
            if routes[layout.number]?.byKey[condition.key]?.byValue[condition.value]?.isEmpty == true {
                routes[layout.number]?.byKey[condition.key]?.byValue[condition.value] = nil
            }
        }
        for related in configuration.relatedKeys {
            for layout in related.key.layouts { routes[layout.number]?.related[related.key.key]?[number] = nil }
        }
    }

    /// Schedules the removal of a controller, from any thread.
    func depart(_ number: Int) {
        departed.withLock { $0.append(number) }
    }

    /// Makes a controller check for permanent IDs after the next save.
    func noteTemporaryIDs(_ number: Int) {
        withTemporaryIDs.insert(number)
    }

    /// Forces the next change of every related object to be examined: a controller has fetched again.
    func forgetSeen() { seen.forgetAll() }

    private func takeOutDeparted() {
        let numbers = departed.withLock { departed in
            let numbers = departed
            departed = []
            return numbers
        }
        for number in numbers { remove(number) }
    }

    // MARK: Changes

    private func contextDidChange(_ userInfo: [AnyHashable: Any]) {
        takeOutDeparted()
        guard !entries.isEmpty else { return seen.forgetAll() }
        // The former values of a change that waits are no longer known when it is delivered.
        let change = ContextChange(userInfo, reread: context.rereadUpdates, hasKeys: !isDelivering)
        if change.isTotal {
            seen.forgetAll()
            waiting = []
            for entry in entries.values { entry.tracker?.invalidate() }
            return
        }
        if context.isOvertaken, !isDelivering {
            // Another observer has saved before: the controllers have seen later changes than this one.
            for entry in entries.values { entry.tracker?.missChanges() }
        }
        waiting.append(change)
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !waiting.isEmpty { deliver(waiting.removeFirst()) }
    }

    /// Gives each controller its part of a change.
    private func deliver(_ change: ContextChange) {
        var shares: [Int: ChangeShare] = [:]
        for (index, entry) in change.entries.enumerated() {
            guard let routes = routes[entry.object.layout.number] else { continue }
            for number in routes.all { shares[number, default: ChangeShare()].resultEntries.append(index) }
            for (key, table) in routes.byKey { find(entry, index, key, table, &shares) }
            guard !routes.related.isEmpty else { continue }
            guard entry.kind == .updated || entry.kind == .refreshed else {
                seen.forget(entry.object)
                continue
            }
            for (key, places) in routes.related where !places.isEmpty {
                if let key, let changed = entry.changedKeys {
                    guard changed.contains(key) else { continue }
                    seen.forget(entry.object, key)
                } else if let key, seen.isUnchanged(entry.object, key) {
                    // A save of a to-many member refreshes the object too; do not examine all of its members.
                    continue
                }
                for (number, keys) in places {
                    for key in keys { shares[number, default: ChangeShare()].related.append((index, key)) }
                }
            }
        }
        for (number, share) in shares.sorted(by: { $0.key < $1.key }) {
            visits += 1
            entries[number]?.tracker?.contextDidChange(change, share)
        }
    }

    /// Objects that are not in memory were deleted, so results after an offset move up.
    func objectsWereDeletedUnseen(_ identifiers: [NSManagedObjectID]) {
        guard !identifiers.isEmpty, isInUse else { return }
        let numbers = Set(identifiers.map(\.layout.number)).reduce(into: Set<Int>()) { numbers, layout in
            numbers.formUnion(routes[layout]?.all ?? [])
        }
        for number in numbers.sorted() {
            guard let entry = entries[number], entry.configuration.request.fetchOffset > 0 else { continue }
            visits += 1
            entry.tracker?.contextDidChange(ContextChange([:]), ChangeShare())
        }
    }

    /// Finds the controllers whose predicates match the value of an object now or before the event.
    private func find(
        _ entry: ContextChange.Entry,
        _ index: Int,
        _ key: String,
        _ table: KeyTable,
        _ shares: inout [Int: ChangeShare]
    ) {
        guard !table.numbers.isEmpty else { return }
        if entry.kind == .inserted || (entry.kind == .updated && entry.changedKeys != nil) {
            var values = [IndexedValue(entry.object.value(forKey: key))]
            if entry.changedKeys?.contains(key) == true {
                values.append(IndexedValue(entry.object.valueBeforeEvent(forKey: key)))
            }
            for number in Set(values.compactMap { $0 }.flatMap { table.byValue[$0] ?? [] }) {
                shares[number, default: ChangeShare()].resultEntries.append(index)
            }
            return
        }
        // The old value is unknown: route to controllers that list the object and to those that match its value now.
        for number in table.numbers where entries[number]?.tracker?.list?.contains(entry.object) == true {
            shares[number, default: ChangeShare()].resultEntries.append(index)
        }
        guard entry.kind != .gone, let value = IndexedValue(entry.object.value(forKey: key)) else { return }
        for number in table.byValue[value] ?? [] where shares[number]?.resultEntries.last != index {
            shares[number, default: ChangeShare()].resultEntries.append(index)
        }
    }

    /// Updates object IDs: saved objects have permanent ones.
    private func contextDidSave() {
        let numbers = withTemporaryIDs.sorted()
        withTemporaryIDs = []
        for number in numbers { entries[number]?.tracker?.identifiersMayHaveChanged() }
    }

    /// A Sendable reference that lets a notification's closure hold a router.
    // Sendable: notifications of a context are posted and handled on its own queue.
    private final class RouterReference: @unchecked Sendable {
        weak var router: ResultsRouter?

        init(_ router: ResultsRouter) {
            self.router = router
        }
    }
}

extension RelatedKey {
    /// The layouts of the entities that the related object can have.
    var layouts: [ObjectLayout] {
        let layout = ObjectLayout.of(entity)
        return layout.family.map { layout.model.layouts[$0] }
    }
}
