// Memory figures. A process's peak never falls, and the process keeps freed memory, so that each figure comes from a
// child that does nothing else.
import Foundation

/// Runs the work of one entrant in a process of its own.
enum Child {
    /// Starts this executable again for one pair.
    ///
    /// - Parameters:
    ///   - figure: `peak` for the maximum resident size during the work, `held` for the growth by it.
    ///   - benchmark: The case.
    ///   - subject: The subject.
    ///   - rows: The size.
    ///   - folder: The folder of the filled files.
    /// - Returns: The bytes and the checksum of the work.
    /// - Throws: An error if the process fails.
    static func run(
        _ figure: String,
        _ benchmark: BenchmarkCase,
        _ subject: String,
        _ rows: Int,
        _ folder: URL
    ) throws -> (value: Int, checksum: Checksum) {
        let pair = "\(benchmark.name)/\(subject)"
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["--child", figure, "--only", pair, "--rows", String(rows), "--folder", folder.path]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace)
        guard child.terminationStatus == 0, numbers.count == 3, let value = Int(numbers[0]), let rows = Int(numbers[1]),
            let sum = UInt64(numbers[2])
        else { throw BenchmarkError("The child for \(pair) failed: \(text)") }
        return (value, Checksum(rows: rows, value: sum))
    }

    /// Runs one entrant and prints its figure and its checksum.
    static func main(_ figure: String, _ benchmark: BenchmarkCase, _ arguments: Arguments) throws {
        guard let entrant = benchmark.entrants.first, let rows = arguments.rows else {
            throw BenchmarkError("A child needs a case, a subject and a number of rows.")
        }
        try Runner(arguments).withSetting(rows) { setting in
            let work = try entrant.prepare(setting)
            try resetPeak()
            let before = try status("RssAnon")
            let outcome = try work()
            let value = figure == "held" ? max(0, try status("RssAnon") - before) : try status("VmHWM")
            let checksum = try outcome.checksum()
            print(value, checksum.rows, checksum.value)
        }
    }

    /// Resets the kernel's high-water mark to the current resident size.
    private static func resetPeak() throws {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// A figure from the kernel's status of this process, in bytes.
    private static func status(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw BenchmarkError("/proc/self/status has no \(name); memory is measured on Linux only.")
        }
        return kilobytes * 1024
    }
}
