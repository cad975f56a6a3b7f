// The queue of main-queue contexts: DispatchQueue.main, or another serial queue in programs whose main thread serves
// none. Used by ContextQueue; independent of contexts.
import CSwiftRuntime
import Dispatch
import Foundation
import Synchronization

/// The queue of main-queue contexts.
final class MainQueue: Sendable {
    let queue: DispatchQueue
    private let watch = MainQueueWatch()
    private static let key = DispatchSpecificKey<MainQueue>()
    private static let real = MainQueue(.main)
    private static let chosen = Mutex<MainQueue?>(nil)

    private init(_ queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: Self.key, value: self)
    }

    /// The queue for contexts created from now on.
    static var current: MainQueue { chosen.withLock { $0 } ?? real }

    static func choose(_ queue: DispatchQueue) {
        chosen.withLock { chosen in
            if queue === DispatchQueue.main {
                chosen = nil
            } else if chosen?.queue !== queue {
                chosen = MainQueue(queue)
            }
        }
    }

    /// The main queue whose block this thread runs, or the real one on the main thread.
    ///
    /// After `dispatchMain()`, and thus under an asynchronous `main`, threads other than the first run the main queue's
    /// blocks, so this also checks with Dispatch.
    static var ofThisThread: MainQueue? {
        DispatchQueue.getSpecific(key: key) ?? (isMainThread ? real : nil)
    }

    /// Whether the caller is on the queue.
    var isCurrent: Bool {
        (self === Self.real && Self.isMainThread) || DispatchQueue.getSpecific(key: Self.key) === self
            || QueueFrame.isInside(self)
    }

    /// Caches the answer for each thread, because Foundation asks the system on every call.
    private static var isMainThread: Bool {
        switch managedgraph_threadKind() {
        case 1: return true
        case 2: return false
        default:
            let isMain = Thread.isMainThread
            managedgraph_setThreadKind(isMain ? 1 : 2)
            return isMain
        }
    }

    func async(_ block: @escaping @Sendable () -> Void) {
        let ticket = watch.issue()
        queue.async {
            self.watch.serve(ticket)
            block()
        }
    }

    func sync(_ block: () -> Void) {
        let ticket = watch.issue()
        queue.sync {
            watch.serve(ticket)
            block()
        }
    }
}

extension NSManagedObjectContext {
    /// Sets the queue of main-queue contexts created from now on.
    ///
    /// Only for programs whose main thread serves no queue, such as a server that blocks it. With an asynchronous
    /// `main`, `dispatchMain()` or a run loop, the main queue itself is served. The main thread is then no longer the
    /// contexts' queue: use `perform` and `performAndWait`. Call this before the first container is created:
    ///
    /// ```swift
    /// NSManagedObjectContext.serveMainQueue(on: DispatchQueue(label: "main"))
    /// ```
    ///
    /// Apple's framework has no such call.
    ///
    /// - Parameter queue: A serial queue; `.main` for the real main queue.
    public static func serveMainQueue(on queue: DispatchQueue) {
        MainQueue.choose(queue)
    }
}
