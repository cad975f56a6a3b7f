// The results controllers of one context, found by what a change concerns: by entity, by the value of one property that
// their predicates ask for, and by properties of related objects. Owned by the context; runs on its queue only.
import Foundation
import Synchronization

/// Tells a context's controllers of the changes that concern them, and no others.
final class ResultsRouter: ContextFollower {
    private struct Entry {
        weak var tracker: ResultsTracker?
        let configuration: ResultsConfiguration
    }

    /// Controllers whose predicates ask for values of one property.
    private struct KeyTable {
        var numbers: Set<Int> = []
        var byValue: [IndexedValue: Set<Int>] = [:]
    }

    /// The controllers that changes of one entity concern.
    private struct Routes {
        /// Those that any change may concern.
        var all: Set<Int> = []
        var byKey: [String: KeyTable] = [:]
        /// Those that a property of this entity places or chooses, from a related object; nil for any property.
        var related: [String?: [Int: [Int]]] = [:]
    }

    private unowned let context: NSManagedObjectContext
    private var entries: [Int: Entry] = [:]
    private var routes: [UInt32: Routes] = [:]
    private var lastNumber = 0
    private var observers: [any NSObjectProtocol] = []
    /// Controllers that are gone, to be taken out at the next occasion: they may go on any thread.
    private let departed = Mutex<[Int]>([])
    /// Those that have delivered temporary IDs.
    private var withTemporaryIDs: Set<Int> = []
    /// What related objects held when they were last heard of.
    private var seen = SeenValues()
    /// How often a controller has looked at a change, for tests.
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

    /// Whether changes of an entity may concern any controller.
    func concerns(_ layout: ObjectLayout) -> Bool {
        guard let routes = routes[layout.number] else { return false }
        return !routes.all.isEmpty || routes.byKey.values.contains { !$0.numbers.isEmpty }
            || routes.related.values.contains { !$0.isEmpty }
    }

    // MARK: Coming and going

    /// Enters a controller; O(entities that concern it).
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

    /// Takes a controller out.
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

    /// Notes from any thread that a controller is gone.
    func depart(_ number: Int) {
        departed.withLock { $0.append(number) }
    }

    /// Has a controller asked for new IDs after the next save.
    func noteTemporaryIDs(_ number: Int) {
        withTemporaryIDs.insert(number)
    }

    /// Has the next word of each related object looked at: a controller has fetched again.
    func forgetSeen() { seen.forgetAll() }

    private func takeOutDeparted() {
        let gone = departed.withLock { departed in
            let gone = departed
            departed = []
            return gone
        }
        for number in gone { remove(number) }
    }

    // MARK: Changes

    private func contextDidChange(_ userInfo: [AnyHashable: Any]) {
        takeOutDeparted()
        guard !entries.isEmpty else { return seen.forgetAll() }
        let change = ContextChange(userInfo, reread: context.rereadUpdates)
        if change.isTotal {
            seen.forgetAll()
            for entry in entries.values { entry.tracker?.invalidate() }
            return
        }
        var shares: [Int: ChangeShare] = [:]
        for (index, entry) in change.entries.enumerated() {
            guard let routes = routes[entry.object.layout.number] else { continue }
            for number in routes.all { shares[number, default: ChangeShare()].own.append(index) }
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
                    // A save of one of its members refreshes it too, and would have all of them looked at.
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

    /// Objects that are not in memory have been deleted: what stands behind an offset moves up.
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

    /// Finds the controllers that ask for the value that an object has, or had when the event began.
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
                shares[number, default: ChangeShare()].own.append(index)
            }
            return
        }
        // Nobody knows what the value was: those take part that have the object, and those that ask for its value now.
        for number in table.numbers where entries[number]?.tracker?.list?.contains(entry.object) == true {
            shares[number, default: ChangeShare()].own.append(index)
        }
        guard entry.kind != .gone, let value = IndexedValue(entry.object.value(forKey: key)) else { return }
        for number in table.byValue[value] ?? [] where shares[number]?.own.last != index {
            shares[number, default: ChangeShare()].own.append(index)
        }
    }

    /// Saved objects have other IDs.
    private func contextDidSave() {
        let numbers = withTemporaryIDs.sorted()
        withTemporaryIDs = []
        for number in numbers { entries[number]?.tracker?.identifiersMayHaveChanged() }
    }
}

extension RelatedKey {
    /// Layouts of the entities that the related object may be of.
    var layouts: [ObjectLayout] {
        let layout = ObjectLayout.of(entity)
        return layout.family.map { layout.model.layouts[$0] }
    }
}

/// Lets a notification's closure, which may be sent anywhere, hold a router, which may not.
// Sendable: notifications of a context are posted and taken on its own queue.
private final class RouterReference: @unchecked Sendable {
    weak var router: ResultsRouter?

    init(_ router: ResultsRouter) {
        self.router = router
    }
}
