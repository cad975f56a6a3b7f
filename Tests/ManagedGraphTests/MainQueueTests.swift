// Main-queue contexts in programs of every kind: each test runs one as a process of its own.
import Foundation
import Synchronization
import Testing

/// The program Tests/MainQueueProgram, which is built beside the tests.
private enum Program {
    static let url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "MainQueueProgram")

    /// What it writes, and how it ends; it is stopped after 20 seconds.
    static func run(_ mode: String) throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = url
        process.arguments = [mode]
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let identifier = process.processIdentifier
        let hasEnded = Atomic<Bool>(false)
        // A thread, as the tests may keep all of Dispatch's busy.
        let stop = Thread {
            for _ in 0..<200 where !hasEnded.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.1) }
            if !hasEnded.load(ordering: .relaxed) { kill(identifier, SIGKILL) }
        }
        stop.start()
        process.waitUntilExit()
        hasEnded.store(true, ordering: .relaxed)
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return (text(output), text(errors), process.terminationStatus)
    }
}

// A development package may leave the program out; the package of the repository builds it with the tests.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: Program.url.path)))
struct MainQueueContexts {
    @Test(arguments: ["runLoop", "dispatchMain"])
    func workWhereTheMainThreadServesTheMainQueue(mode: String) throws {
        let run = try Program.run(mode)
        #expect(run.output == "nested: 1, rows: 3\n")
        #expect(run.errors.isEmpty)
        #expect(run.status == 0)
    }

    @Test func workWhereAnotherQueueStandsForTheMainQueueOfABlockedMainThread() throws {
        let run = try Program.run("replaced")
        #expect(run.output == "nested: 1, rows: 3\nfrom main: 3\n")
        #expect(run.errors.isEmpty)
        #expect(run.status == 0)
    }

    @Test func sayOnceInTheLogThatNothingServesTheMainQueue() throws {
        let run = try Program.run("blocked")
        #expect(run.output.isEmpty)
        #expect(run.errors.components(separatedBy: "has waited 1 seconds for the main queue").count == 2)
        #expect(run.errors.contains("NSManagedObjectContext.serveMainQueue(on:)"))
    }

    @Test func needNobodyToServeTheMainQueueOnTheMainThreadItself() throws {
        let run = try Program.run("command")
        #expect(run.output == "rows: 1\n")
        #expect(run.errors.isEmpty)
    }
}
