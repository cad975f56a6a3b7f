// Cuts the power in one scenario, again and again: a recording of its operations is replayed onto a disk that loses
// operations that were not synced, and the disk is opened as a program opens it.
import CFileCalls
import Foundation
import GraphSQLite
import TestSupport

/// The cuts of one scenario.
struct PowerCuts {
    private let scenario: Scenario
    private let folder: URL
    private let operations: [DiskOperation]
    private let before: URL
    /// The content before the first step and after each.
    private let contents: [[String]]
    /// Whether each step changes all parts of the content together.
    private let areAtomic: [Bool]
    private(set) var problems: [String: Int] = [:]
    private(set) var cuts = 0

    /// Records the scenario.
    init(_ scenario: Scenario, in folder: URL) throws {
        (self.scenario, self.folder) = (scenario, folder)
        before = folder.appending(path: "before")
        let (live, copies) = (folder.appending(path: "live"), folder.appending(path: "copies"))
        for place in [live, copies] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        try scenario.prepare(live)
        try FileManager.default.copyItem(at: live, to: before)
        var contents = [try Self.content(of: live, scenario, copies)]
        try FileManager.default.removeItem(at: before)
        try FileManager.default.copyItem(at: live, to: before)
        disk = try PowerlessDisk(live)
        file_calls_watch(live.path)
        file_calls_record()
        defer { file_calls_watch(nil) }
        let (steps, end) = try scenario.begin(live)
        for (number, step) in steps.enumerated() {
            _ = try step.body()
            file_calls_mark(Int64(number + 1))
            file_calls_pause(1)
            contents.append(try Self.content(of: live, scenario, copies))
            file_calls_pause(0)
        }
        end()
        file_calls_pause(1)
        operations = DiskOperation.recorded
        self.contents = contents
        areAtomic = steps.map(\.isAtomic)
        try requireWholeRecording(of: live)
    }

    /// Replays all operations without a loss: a difference from the real folder is a gap in the recording.
    private func requireWholeRecording(of live: URL) throws {
        var replayed = disk
        for operation in operations { try replayed.apply(operation) }
        let place = folder.appending(path: "replayed")
        var random = SeededNumbers(seed: 0)
        try replayed.write(to: place, .none, &random)
        defer { try? FileManager.default.removeItem(at: place) }
        let (found, expected) = (try Self.files(in: place), try Self.files(in: live))
        guard !operations.isEmpty, found == expected else {
            let paths = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
            let list = paths.joined(separator: ", ")
            throw Wrong("the recording of \(operations.count) operations is not whole: \(list)")
        }
    }

    /// The content of all files by their paths; that of a link is its target, that of a folder empty.
    private static func files(in folder: URL) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix("-shm") }
        return Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let file = folder.appending(path: path).path
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file)
                return (path, target.map { Data($0.utf8) } ?? FileManager.default.contents(atPath: file) ?? Data())
            }
        )
    }

    private let disk: PowerlessDisk

    /// The content of a copy, so that the original is not opened.
    private static func content(of folder: URL, _ scenario: Scenario, _ copies: URL) throws -> [String] {
        let copy = copies.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: folder, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        return try scenario.content(copy)
    }

    /// The number of operations.
    var count: Int { operations.count }

    /// Prints all operations.
    func printRecording() { for (number, operation) in operations.enumerated() { say("\(number + 1) \(operation)") } }

    /// Cuts the power at moments that are spread over the scenario.
    mutating func run(_ wanted: Int, seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let losses = PowerlessDisk.Loss.allCases
        var chosen = (0..<wanted).map { number in
            (Int.random(in: 0...operations.count, using: &random), losses[(number + Int(seed)) % losses.count])
        }
        if wanted >= 2 * operations.count {
            // Enough for each moment with each loss, or more than that.
            let rounds = max(1, wanted / ((operations.count + 1) * losses.count))
            chosen = (0...operations.count).flatMap { moment in
                (0..<rounds).flatMap { _ in losses.map { (moment, $0) } }
            }
        }
        chosen.sort { $0.0 < $1.0 }
        var (now, applied) = (disk, 0)
        for (number, (moment, loss)) in chosen.enumerated() {
            while applied < moment {
                try now.apply(operations[applied])
                applied += 1
            }
            var own = SeededNumbers(run: UInt64(number), of: seed)
            try cut(now, moment, loss, &own)
        }
    }

    private mutating func cut(
        _ disk: PowerlessDisk,
        _ moment: Int,
        _ loss: PowerlessDisk.Loss,
        _ random: inout SeededNumbers
    ) throws {
        cuts += 1
        let place = folder.appending(path: "cut-\(cuts)")
        defer { try? FileManager.default.removeItem(at: place) }
        try disk.write(to: place, loss, &random)
        try Desk.age(place)
        let latest = moment > 0 ? "\(operations[moment - 1])" : "the beginning"
        do {
            let content = try scenario.content(place)
            let allowed = scenario.mayLoseSteps ? 0...disk.step + 1 : disk.step...disk.step + 1
            let states = allowed.compactMap { $0 < contents.count ? contents[$0] : nil }
            let isInStep = disk.step < areAtomic.count && areAtomic[disk.step]
            let areKnown = content.indices.allSatisfy { part in states.contains { $0[part] == content[part] } }
            if isInStep, areKnown, !states.contains(content) {
                report("parts of the content after step \(disk.step) are old and new", latest, loss, moment)
            }
            for (part, text) in content.enumerated() where !states.contains(where: { $0[part] == text }) {
                report(
                    "part \(part) after step \(disk.step) is neither old nor new",
                    latest,
                    loss,
                    moment,
                    text,
                    states[0][part]
                )
            }
            for problem in try scenario.check(place) { report(problem, latest, loss, moment) }
        } catch {
            report("it cannot be opened: \(error)", latest, loss, moment)
        }
    }

    private mutating func report(
        _ problem: String,
        _ latest: String,
        _ loss: PowerlessDisk.Loss,
        _ moment: Int,
        _ found: String = "",
        _ expected: String = ""
    ) {
        let text = problem.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "…").replacing(/cut-[0-9]+/, with: "…")
        if problems[text] == nil {
            say("  \(scenario.name): \(text); after operation \(moment), \(latest); lost: \(loss)")
            if !found.isEmpty { say("    found    \(found.prefix(700))\n    expected \(expected.prefix(700))") }
        }
        problems[text, default: 0] += 1
    }
}
