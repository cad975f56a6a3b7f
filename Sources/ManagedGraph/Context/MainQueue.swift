// What main-queue contexts take for the main queue, and the watch over whether anything serves it. Used by ContextQueue.
import Dispatch
import Foundation
import Synchronization

/// The queue of main-queue contexts.
final class MainQueue: Sendable {
    let queue: DispatchQueue
    private let isReallyMain: Bool
    private let isServed = Atomic<Bool>(false)
    private let hasWarned = Atomic<Bool>(false)
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private static let chosen = Mutex(MainQueue(.main))
    /// How long a block may wait before the log says so.
    static let patience = Mutex(Duration.seconds(5))

    private init(_ queue: DispatchQueue) {
        self.queue = queue
        isReallyMain = queue === DispatchQueue.main
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// The one that contexts made now work on.
    static var current: MainQueue { chosen.withLock { $0 } }

    static func choose(_ queue: DispatchQueue) {
        chosen.withLock { if $0.queue !== queue { $0 = MainQueue(queue) } }
    }

    /// Whether the caller is on the queue.
    ///
    /// After `dispatchMain()`, and so under an asynchronous `main`, other threads than the first run the main queue's
    /// blocks: the queue is asked too.
    var isCurrent: Bool {
        (isReallyMain && Thread.isMainThread) || DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
    }

    func async(_ block: @escaping @Sendable () -> Void) {
        watch()
        queue.async {
            self.isServed.store(true, ordering: .relaxed)
            block()
        }
    }

    func sync(_ block: () -> Void) {
        watch()
        queue.sync {
            isServed.store(true, ordering: .relaxed)
            block()
        }
    }

    /// Until the queue has run its first block, nobody knows whether it ever will.
    private func watch() {
        guard !isServed.load(ordering: .relaxed), !hasWarned.load(ordering: .relaxed) else { return }
        let patience = Self.patience.withLock { $0 }
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
            guard !isServed.load(ordering: .relaxed), !hasWarned.exchange(true, ordering: .relaxed) else { return }
            Diagnosis.log.warning(
                """
                A block of a main-queue context has waited \(patience) for the main queue, which nothing serves. Make main \
                asynchronous, call dispatchMain() or run RunLoop.main at the end of main; or, before the first context is \
                made, say NSManagedObjectContext.serveMainQueue(on:) with a serial queue of your own.
                """
            )
        }
    }
}

extension NSManagedObjectContext {
    /// Says which queue main-queue contexts made from now on work on.
    ///
    /// Only for programs whose main thread serves no queue, such as a server that blocks it: with an asynchronous `main`,
    /// `dispatchMain()` or a run loop the main queue itself is served. The main thread is then not the contexts' queue any
    /// more: reach them by `perform` and `performAndWait`. Call it before the first container is made.
    ///
    /// - Parameter queue: A serial queue, `.main` for the real one.
    public static func serveMainQueue(on queue: DispatchQueue) {
        MainQueue.choose(queue)
    }
}
