// Runs one scenario with one failing call, again and again. A step may throw, and then has to leave the old content, or
// the new one if it is not a save; when the cause is gone, it has to work. No step reads less than the files hold.
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
                    while try run(call, number, code, isLasting: isLasting) { number += stride }
                }
            }
        }
    }

    /// Fails calls chosen at random, one a run.
    mutating func sample(_ wanted: Int, seed: Int) throws {
        var random = SeededNumbers(run: UInt64(seed), of: 22)
        for _ in 0..<wanted {
            let call = random.pick(FileCall.allCases)
            let last = max(1, calls[call] ?? 0)
            _ = try run(call, 1 + random.below(last), random.pick(call.codes), isLasting: random.chance(30))
        }
    }

    /// Returns false if there is no call with this number.
    private mutating func run(_ call: FileCall, _ number: Int, _ code: Int32, isLasting: Bool) throws -> Bool {
        let place = try restore()
        defer {
            file_calls_watch(nil)
            FileCall.work()
            try? FileManager.default.removeItem(at: place)
        }
        file_calls_watch(place.path)
        call.fail(number, code, isLasting: isLasting)
        runs += 1
        var wasHit = false
        let name = "\(call) \(String(cString: strerror(code)))\(isLasting ? " from now on" : "")"
        func check(_ problem: String?, _ step: String) {
            if let problem { report("\(step): \(problem)", name, number) }
        }
        let (steps, end) = try scenario.begin(place)
        for (index, step) in steps.enumerated() {
            do {
                var text = try step.body()
                if step.readsProperties, text != readings[index], file_calls_failed() > 0 {
                    wasHit = true
                    FileCall.work()
                    text = try step.body()
                }
                if text != readings[index] {
                    report("\(step.name): read something else", name, number, text, readings[index])
                }
            } catch {
                refused += 1
                if file_calls_failed() == 0 { report("\(step.name): failed without a cause: \(error)", name, number) }
                check(scenario.hasCodes ? Self.flaw(error) : Self.flawWithoutCode(error), step.name)
                codes[(error as NSError).code, default: 0] += 1
                wasHit = wasHit || file_calls_failed() > 0
                FileCall.work()
                try retry(step, index, place, name, number, call, isLasting: isLasting)
            }
        }
        wasHit = wasHit || file_calls_failed() > 0
        FileCall.work()
        end()
        file_calls_watch(nil)
        do {
            try Desk.age(place)
            let found = try scenario.content(place)
            for (part, text) in found.enumerated() where text != contents[steps.count][part] {
                report("part \(part) at the end is something else", name, number, text, contents[steps.count][part])
            }
            for problem in try scenario.check(place) { report(problem, name, number) }
        } catch {
            report("the end: \(error)", name, number)
        }
        return wasHit
    }

    private mutating func retry(
        _ step: Scenario.Step,
        _ index: Int,
        _ place: URL,
        _ name: String,
        _ number: Int,
        _ call: FileCall,
        isLasting: Bool
    ) throws {
        do {
            // A save is examined in its own file: after a failed call of fsync, SQLite's log can hold the refused commit
            // until the next save overwrites it. A migration is examined in a copy, as opening it would migrate it.
            let now = try step.isAtomic ? scenario.content(place) : content(place)
            let isOld = now == contents[index]
            let isMixed = zip(now, zip(contents[index], contents[index + 1])).contains { $0 != $1.0 && $0 != $1.1 }
            if isMixed || (step.isAtomic && !isOld) {
                report("\(step.name): threw, and left something", name, number, now.joined(), contents[index].joined())
                if now == contents[index + 1] { return }
            }
            // A new file that could not be removed after the failure is in the way.
            if call == .unlink, isLasting, !step.isAtomic { try scenario.clear(place) }
            let text = try step.body()
            if text != readings[index] {
                report("\(step.name): read something else at the next attempt", name, number, text, readings[index])
            }
        } catch {
            report("\(step.name): the next attempt failed: \(error)", name, number)
        }
    }

    /// The flaw of an error's form; nil if it has Apple's code and a remedy.
    private static func flaw(_ error: any Error) -> String? {
        let error = error as NSError
        if error.domain != NSCocoaErrorDomain { return "an error of another domain: \(error)" }
        let remedy = error.localizedRecoverySuggestion ?? ""
        if error.code == CocoaError.Code.fileReadCorruptFile.rawValue || remedy.contains("damaged") {
            return "a failing disk is not a damaged file: \(error) \(remedy)"
        }
        if remedy.isEmpty {
            return "no remedy: \(error.code) \(error.localizedDescription)"
        }
        return nil
    }

    /// The flaw of an error that has only a text.
    private static func flawWithoutCode(_ error: any Error) -> String? {
        let text = "\(error)"
        return text.count > 20 ? nil : "no cause: \(text)"
    }

    private mutating func report(
        _ problem: String,
        _ name: String,
        _ number: Int,
        _ found: String = "",
        _ expected: String = ""
    ) {
        let text = problem.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "…")
        if problems[text] == nil {
            say("  \(scenario.name): \(text); call \(number) of \(name), \(String(cString: file_calls_last()))")
            if !found.isEmpty || !expected.isEmpty {
                say("    found    \(found.prefix(700))\n    expected \(expected.prefix(700))")
            }
        }
        problems[text, default: 0] += 1
    }
}
