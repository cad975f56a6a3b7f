// Runs one scenario in which a call fails, files cannot be opened, or the volume is read-only, again and again. A step may
// throw, and then has to leave the old content, or the new one if it is not a save; when the cause is gone, it has to work.
// No step reads less than the files hold.
import CFileCalls
import Foundation
import TestSupport

/// The runs of one scenario.
struct FailingCalls {
    private let scenario: Scenario
    private let folder: URL
    private let before: URL
    private var contents: [[String]] = []
    private var readings: [String] = []
    /// The calls of each kind in a run without failures.
    private(set) var calls: [FileCall: Int] = [:]
    private(set) var problems: [String: Int] = [:]
    private(set) var runs = 0
    private(set) var refused = 0
    /// The failures that the system did not let happen.
    private(set) var excluded = 0
    private(set) var codes: [Int: Int] = [:]

    init(_ scenario: Scenario, in folder: URL) throws {
        (self.scenario, self.folder) = (scenario, folder)
        before = folder.appending(path: "before")
        try FileManager.default.createDirectory(at: before, withIntermediateDirectories: true)
        try scenario.prepare(before)
        let place = try restore()
        defer { try? FileManager.default.removeItem(at: place) }
        contents = [try content(place)]
        file_calls_watch(place.path)
        defer { file_calls_watch(nil) }
        FileCall.work()
        let (steps, end) = try scenario.begin(place)
        for step in steps { readings.append(try step.body()) }
        end()
        for call in FileCall.allCases { calls[call] = Int(file_calls_seen(Int32(call.rawValue))) }
        // Again, to see the content after each step without counting the calls for that.
        let other = try restore()
        defer { try? FileManager.default.removeItem(at: other) }
        let (again, finish) = try scenario.begin(other)
        for step in again {
            _ = try step.body()
            contents.append(try content(other))
        }
        finish()
    }

    private func restore() throws -> URL {
        let place = folder.appending(path: "run-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: before, to: place)
        return place
    }

    private func content(_ place: URL) throws -> [String] {
        let copy = folder.appending(path: "copy-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: place, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        return try scenario.content(copy)
    }

    /// Fails each `stride`-th call of each kind, with each error.
    mutating func run(stride: Int, seed: Int) throws {
        for call in FileCall.chosen {
            for (index, code) in call.codes.enumerated() {
                for isLasting in [false, true] {
                    var number = 1 + (seed + index) % stride
                    while try run(.call(call, number: number, code: code, isLasting: isLasting)) { number += stride }
                }
            }
        }
    }

    /// Lets no more files be opened from each `stride`-th step on, then one more, and so on until nothing fails.
    mutating func runWithoutDescriptors(stride: Int) throws {
        for step in Swift.stride(from: 0, to: readings.count, by: stride) {
            var count = 0
            while try run(.descriptors(count), from: step) {
                count += 1
                if count > 100 { return report("fails with \(count) more open files", "step \(step)") }
            }
        }
    }

    /// Makes the volume read-only before each `stride`-th step.
    mutating func runOnReadOnlyVolume(stride: Int) throws {
        for step in Swift.stride(from: 0, to: readings.count, by: stride) { _ = try run(.readOnlyVolume, from: step) }
    }

    /// Fails calls chosen at random, one a run.
    mutating func sample(_ wanted: Int, seed: Int) throws {
        var random = SeededNumbers(run: UInt64(seed), of: 22)
        for _ in 0..<wanted {
            let call = random.pick(FileCall.allCases)
            let last = max(1, calls[call] ?? 0)
            let failure = Failure.call(
                call,
                number: 1 + random.below(last),
                code: random.pick(call.codes),
                isLasting: random.chance(30)
            )
            _ = try run(failure)
        }
    }

    /// Runs the scenario with a failure that begins before a step, and ends with the first error.
    ///
    /// - Returns: False if nothing failed, for example because there is no call with the number.
    private mutating func run(_ failure: Failure, from first: Int = 0) throws -> Bool {
        let place = try restore()
        // Whether the failure has begun and not ended.
        var isActive = false
        defer {
            if isActive { failure.end() }
            file_calls_watch(nil)
            try? FileManager.default.removeItem(at: place)
        }
        runs += 1
        var wasHit = false
        let (steps, end) = try scenario.begin(place)
        for (index, step) in steps.enumerated() {
            if index == first {
                isActive = failure.begin(place)
                guard isActive else {
                    excluded += 1
                    end()
                    return false
                }
            }
            do {
                var text = try step.body()
                if step.readsProperties, text != readings[index], isActive, failure.failedCalls != 0 {
                    wasHit = true
                    failure.end()
                    isActive = false
                    text = try step.body()
                }
                if text != readings[index] {
                    report("\(step.name): read something else", "\(failure)", text, readings[index])
                }
            } catch {
                refused += 1
                let hasCause = isActive && failure.failedCalls != 0
                // Names the failed call, which is forgotten at the end of the failure.
                let name = "\(failure)"
                if isActive { failure.end() }
                isActive = false
                if !hasCause { report("\(step.name): failed without a cause: \(error)", name) }
                if let flaw = ErrorForm.flaw(error) { report("\(step.name): \(flaw)", name) }
                codes[(error as NSError).code, default: 0] += 1
                wasHit = wasHit || hasCause
                try retry(step, index, place, failure, name)
            }
        }
        // A call can fail without an error.
        wasHit = wasHit || failure.failedCalls ?? 0 > 0
        if isActive { failure.end() }
        isActive = false
        end()
        file_calls_watch(nil)
        do {
            try Desk.age(place)
            let content = try scenario.content(place)
            for (part, text) in content.enumerated() where text != contents[steps.count][part] {
                report("part \(part) at the end is something else", "\(failure)", text, contents[steps.count][part])
            }
            for problem in try scenario.check(place) { report(problem, "\(failure)") }
        } catch {
            report("the end: \(error)", "\(failure)")
        }
        return wasHit
    }

    private mutating func retry(
        _ step: Scenario.Step,
        _ index: Int,
        _ place: URL,
        _ failure: Failure,
        _ name: String
    ) throws {
        do {
            // A save is examined in its own file: after a failed call of fsync, SQLite's log can hold the refused commit
            // until the next save overwrites it. A migration is examined in a copy, as opening it would migrate it.
            let now = try step.isAtomic ? scenario.content(place) : content(place)
            let isOld = now == contents[index]
            let isMixed = zip(now, zip(contents[index], contents[index + 1])).contains { $0 != $1.0 && $0 != $1.1 }
            if isMixed || (step.isAtomic && !isOld) {
                report("\(step.name): threw, and left something", name, now.joined(), contents[index].joined())
                if now == contents[index + 1] { return }
            }
            // A new file that could not be removed after the failure is in the way.
            if failure.keepsNewFiles, !step.isAtomic { try scenario.clear(place) }
            let text = try step.body()
            if text != readings[index] {
                report("\(step.name): read something else at the next attempt", name, text, readings[index])
            }
        } catch {
            report("\(step.name): the next attempt failed: \(error)", name)
        }
    }

    private mutating func report(
        _ problem: String,
        _ failure: String,
        _ found: String = "",
        _ expected: String = ""
    ) {
        let text = problem.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "…")
        if problems[text] == nil {
            say("  \(scenario.name): \(text); \(failure)")
            if !found.isEmpty || !expected.isEmpty {
                say("    found    \(found.prefix(700))\n    expected \(expected.prefix(700))")
            }
        }
        problems[text, default: 0] += 1
    }
}
