// One process of several that increment the same counters.
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport

/// Increments counters of a shared store.
package struct SharedCounting {
    private let context: NSManagedObjectContext
    private let policy: CounterPolicy
    private let counters: Int
    private var random: SeededNumbers
    private var increments = 0
    private var conflicts = 0
    private var longest: TimeInterval = 0

    package init(_ store: SharedStore, policy: CounterPolicy, counters: Int, seed: UInt64) {
        context = store.coordinator.makeContext()
        context.undoManager = nil
        context.mergePolicy = policy.policy
        self.policy = policy
        self.counters = counters
        random = SeededNumbers(run: seed, of: 5)
    }

    /// Saves a number of increments; each fourth save has two counters, in any order.
    ///
    /// - Throws: Every error but a conflict.
    package mutating func run(_ count: Int) throws {
        for number in 0..<count {
            let first = random.below(counters)
            let second = number % 4 == 0 ? (first + 1 + random.below(counters - 1)) % counters : first
            let began = Date()
            while true {
                do {
                    try increment(first == second ? [first] : [first, second])
                    break
                } catch let error as NSError where error.code == NSManagedObjectMergeError {
                    conflicts += 1
                }
            }
            increments += first == second ? 1 : 2
            longest = max(longest, -began.timeIntervalSinceNow)
        }
    }

    private func increment(_ numbers: [Int]) throws {
        try context.performAndWait { () throws in
            defer { context.reset() }
            for counter in try context.all("Counter", "number IN %@", [numbers]) {
                counter.setValue(counter.number("value") + 1, forKey: "value")
            }
            try context.save()
        }
    }

    /// The counts, for the tests.
    package var result: String { "counted \(increments) \(conflicts) \(Int(longest * 1_000))" }
}
