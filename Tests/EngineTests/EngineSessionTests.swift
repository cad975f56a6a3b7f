// Tests the visibility of changes to concurrent readers. Every engine passes these tests.
import ExpectationSupport
import Foundation
import GraphEngine
import Synchronization
import Testing

@Suite("Engines: sessions")
struct EngineSessionTests {
    /// Runs `body` on a new thread and waits until it ends.
    private func elsewhere(_ body: @escaping @Sendable () throws -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            done.signal()
        }
        return done.wait(timeout: .now() + 20) == .success
    }

    @Test(arguments: EngineKind.concurrent)
    func aReaderNeitherWaitsForATransactionNorSeesIt(_ kind: EngineKind) throws {
        let tried = UnsafeTransfer(try TriedEngine(kind))
        try tried.value.insert("Tag", [[:]])
        let session = try tried.value.engine.beginSave(SaveOrigin())
        try tried.value.insert("Tag", [[:], [:]], in: session)
        try expectEqual(session.count(try tried.value.fetch("Tag")), 3)
        let counts = Mutex<[Int]>([])
        let ended = elsewhere {
            for holdsSnapshot in [true, false] {
                let count = try tried.value.reading(holdsSnapshot: holdsSnapshot) {
                    try $0.count(try tried.value.fetch("Tag"))
                }
                counts.withLock { $0.append(count) }
            }
        }
        #expect(ended)
        expectEqual(counts.withLock { $0 }, [1, 1])
        try session.commit()
        try expectEqual(tried.value.reading { try $0.count(try tried.value.fetch("Tag")) }, 3)
    }

    @Test(arguments: EngineKind.concurrent)
    func aSnapshotIsOfItsFirstReadUntilItIsRenewed(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        try tried.insert("Tag", [[:]])
        let snapshotSession = try tried.engine.lease(holdsSnapshot: true)
        let plainSession = try tried.engine.lease(holdsSnapshot: false)
        defer { for session in [snapshotSession, plainSession] { tried.engine.giveBack(session) } }
        // The snapshot begins at the first read, not at the lease.
        try tried.insert("Tag", [[:]])
        let fetch = try tried.fetch("Tag")
        expectNil(snapshotSession.snapshotBegan)
        try expectEqual(snapshotSession.count(fetch), 2)
        let began = try #require(snapshotSession.snapshotBegan)
        try tried.insert("Tag", [[:]])
        try expectEqual(snapshotSession.count(fetch), 2)
        try expectEqual(snapshotSession.rows(fetch).count, 2)
        expectEqual(snapshotSession.snapshotBegan, began)
        try expectEqual(plainSession.count(fetch), 3)
        expectNil(plainSession.snapshotBegan)
        snapshotSession.renew()
        expectNil(snapshotSession.snapshotBegan)
        try expectEqual(snapshotSession.count(fetch), 3)
    }

    @Test(arguments: EngineKind.oneByOne)
    func transactionsFollowEachOther(_ kind: EngineKind) throws {
        let tried = UnsafeTransfer(try TriedEngine(kind))
        let key = try tried.value.insert("Owner", [["age": .integer(0)]])[0]
        let done = DispatchGroup()
        // Each transaction reads the changes of the one before.
        for _ in 0..<4 {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                do {
                    for _ in 0..<25 {
                        try tried.value.write { session in
                            let tree = try tried.value.layout("Owner").tree
                            let batch = try session.rows(tree: tree, keys: [key])
                            guard case .integer(let age) = try tried.value.value("Owner", "age", batch, 0) else {
                                return
                            }
                            let version = batch.integer(TreeLayout.versionColumn, 0)
                            var changes = StoreChanges()
                            changes.updates = [
                                try tried.value.change("Owner", key, version: version, ["age": .integer(age + 1)])
                            ]
                            let outcome = try session.write(changes)
                            #expect(outcome.conflicts.isEmpty)
                        }
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        expectEqual(done.wait(timeout: .now() + 60), .success)
        let batch = try tried.value.reading { try $0.rows(tree: try tried.value.layout("Owner").tree, keys: [key]) }
        try expectEqual(tried.value.value("Owner", "age", batch, 0), .integer(100))
        expectEqual(batch.integer(TreeLayout.versionColumn, 0), 101)
    }
}
