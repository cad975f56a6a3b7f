// Runs of steps in which an allocation of SQLite fails: an error is thrown, nothing is lost, the next attempt works.
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphTools

/// Runs with one fault each, in a folder of their own.
struct AllocationRun {
    /// A difference from the expected state.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The numbers of all runs.
    struct Tally {
        var runs = 0
        var refused = 0
        /// Allocations that failed without an error: SQLite can do without some of them.
        var unseen = 0
        /// The numbers of the errors' codes, and the first failing call of each.
        var codes: [Int: (count: Int, call: Int)] = [:]
    }

    let folder: URL
    let isForEver: Bool
    private(set) var tally = Tally()
    private static let steps = 8
    private let seed: UInt64 = 11

    init(folder: URL, isForEver: Bool) {
        self.folder = folder
        self.isForEver = isForEver
    }

    /// Runs the steps of a plan with a fault at a call; false if the fault comes after the last call.
    mutating func work(failingAt call: Int) throws -> Bool {
        let place = try makePlace(call)
        defer { try? FileManager.default.removeItem(at: place) }
        let url = place.appending(path: "Notes.sqlite")
        var plan = Plan(seed: seed)
        var isHit = false
        FailingAllocator.fail(at: call, isForEver: isForEver)
        defer { FailingAllocator.restore() }
        let store = try attempt(call, &isHit) { try NoteStore(url) }
        for _ in 0..<Self.steps {
            let step = plan.next()
            try attempt(call, &isHit) {
                do {
                    try store.run(step, number: plan.number)
                } catch {
                    store.container.performAndWait { store.container.reset() }
                    throw error
                }
            }
            let content = try attempt(call, &isHit) { try store.content() }
            guard content == plan.notes else { throw Failure(description: "other notes after step \(plan.number)") }
        }
        let failed = FailingAllocator.restore()
        if failed > 0, !isHit { tally.unseen += 1 }
        guard try store.content() == plan.notes else { throw Failure(description: "other notes at the end") }
        try store.close()
        try check(url, NoteStore.model)
        let again = try NoteStore(url)
        guard try again.content() == plan.notes else { throw Failure(description: "other notes when opened again") }
        let files = try again.files()
        guard files.present == files.needed else {
            throw Failure(description: "\(files.present) files for \(files.needed) large values")
        }
        try again.close()
        tally.runs += 1
        return failed > 0 || isHit
    }

    /// Migrates a store with a fault at a call; false if the fault comes after the last call.
    mutating func migrate(failingAt call: Int) throws -> Bool {
        let place = try makePlace(call)
        defer { try? FileManager.default.removeItem(at: place) }
        let url = place.appending(path: "Notes.sqlite")
        var plan = Plan(seed: seed)
        let store = try NoteStore(url)
        for _ in 0..<Self.steps { try store.run(plan.next(), number: plan.number) }
        try store.close()
        var isHit = false
        FailingAllocator.fail(at: call, isForEver: isForEver)
        defer { FailingAllocator.restore() }
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let migrated = try attempt(call, &isHit) { try NoteStore(url, options: options, model: NoteStore.laterModel) }
        let failed = FailingAllocator.restore()
        if failed > 0, !isHit { tally.unseen += 1 }
        guard try migrated.content() == plan.notes else {
            throw Failure(description: "other notes after the migration")
        }
        try migrated.close()
        try check(url, NoteStore.laterModel)
        tally.runs += 1
        return failed > 0 || isHit
    }

    private func makePlace(_ call: Int) throws -> URL {
        let place = folder.appending(path: "\(call)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place
    }

    /// Runs a part; if it fails by the fault, runs it again with memory.
    private mutating func attempt<R>(_ call: Int, _ isHit: inout Bool, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            guard FailingAllocator.restore() > 0, !(error is NoteStore.Difference) else { throw error }
            isHit = true
            tally.refused += 1
            let error = error as NSError
            guard error.domain == NSCocoaErrorDomain, error.localizedRecoverySuggestion?.isEmpty == false,
                // Missing memory does not mean that the file is corrupt.
                error.code != CocoaError.Code.fileReadCorruptFile.rawValue
            else { throw Failure(description: "an error without cause or remedy: \(error)") }
            tally.codes[error.code, default: (0, call)].count += 1
            return try body()
        }
    }

    private func check(_ url: URL, _ model: NSManagedObjectModel) throws {
        let problems = StoreChecker().check(url, with: model).problems
        guard problems.isEmpty else { throw Failure(description: "\(problems)") }
    }
}
