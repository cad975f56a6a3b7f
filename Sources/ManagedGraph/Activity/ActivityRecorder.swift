// Records the events of a thread while it is inside operations of the framework, and delivers them when the outermost
// operation has ended. No lock of the framework is held then, and the context is in a state in which a program may use
// it. Called by contexts, and by stores for each statement.
import CSwiftRuntime
import GraphEngine
import GraphSQL

/// The events of one thread that are not delivered yet.
final class ActivityRecorder {
    /// The innermost operation.
    private(set) var scope: ActivityScope?
    private var entries: [Entry] = []
    /// Set while handlers run: their own work is not recorded.
    private var isDelivering = false

    private struct Entry {
        let center: ActivityCenter
        let content: Content
    }

    private enum Content {
        case activity(StoreActivity)
        /// A statement, which becomes a `StoreActivity` only if a handler is still registered.
        case statement(StatementEvent, NSPersistentStore, ActivityScope?)
    }

    /// The recorder of this thread; nil if it is inside no recorded operation.
    static var current: ActivityRecorder? {
        managedgraph_currentActivity().map { Unmanaged<ActivityRecorder>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs an operation; events inside it belong to the scope, unless they belong to an operation within.
    static func run<R>(_ scope: ActivityScope, _ body: () throws -> R) rethrows -> R {
        let recorder = current ?? make()
        if recorder.isDelivering { return try body() }
        let outer = recorder.scope
        recorder.scope = scope
        defer {
            recorder.scope = outer
            if outer == nil { recorder.end() }
        }
        return try body()
    }

    /// Records a statement of a store.
    static func record(_ event: StatementEvent, of store: NSPersistentStore, for center: ActivityCenter) {
        let recorder = current ?? make()
        recorder.append(.statement(event, store, recorder.scope), center)
    }

    /// Records an event inside an operation.
    func record(_ activity: StoreActivity, for center: ActivityCenter) { append(.activity(activity), center) }

    /// Delivers events that were recorded outside of any operation; called while no lock is held.
    static func deliver() {
        if let recorder = current, recorder.scope == nil, !recorder.isDelivering { recorder.end() }
    }

    /// Runs `body`, perhaps on another thread, on behalf of a thread that waits for it inside the recorder's operation.
    static func lend<R>(_ recorder: ActivityRecorder?, _ body: () throws -> R) rethrows -> R {
        guard let recorder else { return try body() }
        let previous = managedgraph_currentActivity()
        managedgraph_setCurrentActivity(Unmanaged.passUnretained(recorder).toOpaque())
        defer { managedgraph_setCurrentActivity(previous) }
        return try body()
    }

    private static func make() -> ActivityRecorder {
        let recorder = ActivityRecorder()
        managedgraph_setCurrentActivity(Unmanaged.passRetained(recorder).toOpaque())
        return recorder
    }

    private func append(_ content: Content, _ center: ActivityCenter) {
        if !isDelivering { entries.append(Entry(center: center, content: content)) }
    }

    /// Delivers the events, then frees the recorder.
    private func end() {
        if !entries.isEmpty {
            isDelivering = true
            for entry in entries {
                entry.center.deliver {
                    switch entry.content {
                    case .activity(let activity): activity
                    case .statement(let event, let store, let scope):
                        .statement(StoreActivity.Statement(event, store: StoreActivity.Store(store), scope: scope))
                    }
                }
            }
        }
        managedgraph_setCurrentActivity(nil)
        Unmanaged.passUnretained(self).release()
    }
}
