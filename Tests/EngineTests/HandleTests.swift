// Objects that are found without being kept.
import Dispatch
import ExpectationSupport
import GraphEngine
import Synchronization
import Testing

@Suite("Handles") struct HandleTests {
    private class Owner {
        let handle = Handle()

        init() { handle.set(self) }

        deinit { handle.clear() }
    }

    /// Looks for itself while it is deallocated, before the class above clears its handle.
    private final class Searcher: Owner {
        nonisolated(unsafe) static var foundItself = false

        deinit { Self.foundItself = handle.object(as: Owner.self) != nil }
    }

    @Test("A handle finds its object until the last reference is released")
    func life() {
        var owner: Owner? = Owner()
        let handle = owner?.handle
        #expect(handle?.object(as: Owner.self) === owner)
        owner = nil
        expectNil(handle?.object(as: Owner.self))
        expectNil(Handle().object(as: Owner.self))
    }

    @Test("An object that is being deallocated is not found")
    func deallocation() {
        Searcher.foundItself = true
        _ = Searcher()
        #expect(!Searcher.foundItself)
    }

    @Test("Threads find an object or nothing while it is released")
    func threads() {
        let successes = Atomic<Int>(0)
        for _ in 0..<500 {
            let owner = Mutex<Owner?>(Owner())
            guard let handle = owner.withLock({ $0?.handle }) else { return }
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                if number == 4 { owner.withLock { $0 = nil } }
                if handle.object(as: Owner.self)?.handle === handle { successes.add(1, ordering: .relaxed) }
            }
            expectNil(handle.object(as: Owner.self))
        }
        #expect(successes.load(ordering: .relaxed) > 0)
    }
}
