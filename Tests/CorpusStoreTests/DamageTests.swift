// Uses damaged copies of the collections' stores and models: each use reports an error or a problem, or reads the original
// content; it never crashes or hangs. STORE_DAMAGES and MODEL_DAMAGES set the numbers of cases (default 12 and 120); the cases
// are deterministic. DAMAGE_PROGRAM may be the path of an optimized program.
import ExpectationSupport
import Foundation
import Testing

struct DamageTests {
    /// The kinds of files, by the names that the program takes.
    enum Kind: String, CaseIterable, Sendable {
        case stores, models

        /// The number of cases.
        var count: Int {
            let name = self == .stores ? "STORE_DAMAGES" : "MODEL_DAMAGES"
            return ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? (self == .stores ? 12 : 120)
        }
    }

    private static let program =
        ProcessInfo.processInfo.environment["DAMAGE_PROGRAM"].map { URL(filePath: $0) }
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "DamageProgram")
    /// The time limit of one case in seconds.
    private static let patience = 60
    /// The cases of one process, as each model that was used stays in memory.
    private static let casesOfProcess = 10_000

    @Test(arguments: Kind.allCases)
    func aDamagedFileIsRefusedReportedOrReadRightAndNeverACrash(_ kind: Kind) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "damage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Each process begins with reading all files, which takes as long as some dozen cases.
        let half = kind.count < 500 ? 0 : kind.count / 2
        async let one = run(0..<half, of: kind, folder.appending(path: "1"))
        async let two = run(half..<kind.count, of: kind, folder.appending(path: "2"))
        let results = [try await one, try await two]
        var outcomes: [String: Int] = [:]
        for line in results.flatMap(\.lines) { outcomes[line.outcome, default: 0] += 1 }
        print("damaged \(kind): \(kind.count) cases: \(outcomes.sorted { $0.key < $1.key })")
        for line in results.flatMap(\.lines) where line.outcome == "otherRows" { print("other rows: \(line.text)") }
        let failures = results.flatMap(\.failures)
        expectEqual(failures, [])
        expectEqual(outcomes.values.reduce(0, +) + failures.count, kind.count)
        #expect((outcomes["refused"] ?? 0) + (outcomes["reported"] ?? 0) > 0)
    }

    private struct Results {
        var lines: [(outcome: String, text: String)] = []
        var failures: [String] = []
    }

    /// Runs cases in separate processes; a case that ends its process fails, and a new process continues after it.
    private func run(_ cases: Range<Int>, of kind: Kind, _ folder: URL) async throws -> Results {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var results = Results()
        var first = cases.lowerBound
        while first < cases.upperBound {
            let output = folder.appending(path: "output")
            try Data().write(to: output)
            let end = min(first + Self.casesOfProcess, cases.upperBound)
            let (process, ended) = try start(first..<end, of: kind, folder, output)
            let watch = Task {
                var (last, quiet) = (0, 0)
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(1))
                    let size = (try? FileManager.default.attributesOfItem(atPath: output.path)[.size] as? Int) ?? 0
                    quiet = size == last ? quiet + 1 : 0
                    last = size
                    if quiet > Self.patience { kill(process.processIdentifier, SIGKILL) }
                }
            }
            for await _ in ended {}
            watch.cancel()
            let lines = String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n")
            var current: Int?
            for line in lines {
                let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                if words.first == "case" { current = words.last.flatMap(Int.init) }
                if words.count == 3, Int(words[0]) == current {
                    results.lines.append((words[1], String(line)))
                    current = nil
                }
            }
            if process.terminationStatus == 0, process.terminationReason == .exit {
                first = end
                continue
            }
            let reason = process.terminationReason == .exit ? "status" : "signal"
            results.failures.append(
                "case \(current ?? -1) ended with the \(reason) \(process.terminationStatus): \(lines.last ?? "")"
            )
            guard let current, results.failures.count < 50 else { break }
            first = current + 1
        }
        return results
    }

    private func start(
        _ cases: Range<Int>,
        of kind: Kind,
        _ folder: URL,
        _ output: URL
    ) throws -> (Process, AsyncStream<Void>) {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = [kind.rawValue, "\(cases.lowerBound)", "\(cases.upperBound)", folder.path]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        return (process, ended.stream)
    }
}
