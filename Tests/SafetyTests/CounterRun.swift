// Processes that increment the counters of a shared store concurrently, and the guarantees of the merge policies for their values.
import ExpectationSupport
import Foundation
import SharedStoreSupport
import Testing

/// The increments of several processes under a merge policy.
struct CounterRun: CustomStringConvertible {
    let policy: CounterPolicy
    let counters: Int
    /// The saves of all processes that succeeded.
    let saves: Int
    private var increments = 0
    private var conflicts = 0
    /// The longest time of one save with its retries, in milliseconds.
    private var longest = 0
    private let seconds: TimeInterval

    /// Starts the processes and waits for their end.
    ///
    /// - Parameters:
    ///   - address: A store that `SharedStore` has filled with counters.
    ///   - policy: The merge policy of all processes.
    ///   - counters: The number of counters.
    ///   - count: The number of processes.
    ///   - each: The number of saves of each process.
    /// - Throws: If a process cannot be started, or ends without a result.
    init(_ address: String, _ policy: CounterPolicy, counters: Int, processes count: Int, each: Int) throws {
        self.policy = policy
        self.counters = counters
        saves = each * count
        let began = Date()
        let processes = try (0..<count).map {
            try SharedStoreProcess(["count", address, policy.rawValue, "\(counters)", "\(each)", "\($0)"])
        }
        for process in processes { process.waitForEnd() }
        seconds = -began.timeIntervalSinceNow
        expectEqual(processes.compactMap(\.failure), [])
        for process in processes {
            let numbers = process.lines.last?.split(separator: " ").dropFirst().compactMap { Int($0) } ?? []
            try #require(numbers.count == 3)
            increments += numbers[0]
            conflicts += numbers[1]
            longest = max(longest, numbers[2])
        }
    }

    var description: String {
        "\(policy.rawValue): \(saves) saves, \(Int(Double(saves) / seconds)) a second, \(conflicts) conflicts, "
            + "\(increments) increments, longest \(longest) ms"
    }

    /// Compares the store with the policy's promise.
    ///
    /// - Parameters:
    ///   - value: The sum of all counters.
    ///   - writes: The sum of all versions, without the first ones.
    ///   - exact: The number of counters whose value is the number of their writes.
    func check(value: Int, writes: Int, exact: Int) {
        // Each write is based on the previous one.
        if policy.buildsOnLatest { expectEqual(exact, counters) }
        switch policy {
        case .error: expectEqual(value, increments)
        case .storeTrump, .rollback: #expect(value <= increments && value > 0 && conflicts == 0)
        // The last save wins; one whose value is the same as the store's writes nothing.
        case .objectTrump, .overwrite: #expect(value <= writes && writes <= increments && conflicts == 0)
        }
    }
}
