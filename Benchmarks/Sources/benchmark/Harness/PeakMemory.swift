// Peak memory. A process's peak never falls again, so each pair of case and subject runs in a child of its own.
import Foundation

/// Measures the peak of resident memory.
enum PeakMemory {
    /// Runs one pair once in this process and prints its peak in bytes.
    static func runAsChild(_ benchmark: Case, _ subject: any Subject.Type, _ arguments: Arguments) throws {
        switch benchmark {
        case .fetch:
            let file = arguments.folder.appendingPathComponent("\(subject.name)-full.sqlite")
            guard try subject.init(file: file).fetch().rows == arguments.rows else {
                throw BenchmarkError("\(file.path) does not hold \(arguments.rows) rows.")
            }
        case .insert:
            let file = arguments.folder.appendingPathComponent("\(subject.name)-peak.sqlite")
            defer { Runner.remove(file) }
            try subject.init(file: file).insert(InputRow.make(count: arguments.rows))
        case .batchInsert, .batchUpdate, .batchDelete:
            let file = arguments.folder.appendingPathComponent("\(subject.name)-peak.sqlite")
            defer { Runner.remove(file) }
            let opened = try subject.init(file: file)
            // In portions, so that the peak is that of the work, not of the input.
            for row in stride(from: 0, to: arguments.rows, by: 10_000) {
                let portion = InputRow.make(count: min(10_000, arguments.rows - row))
                try opened.batchInsert(portion)
            }
            if benchmark == .batchUpdate { _ = try opened.batchUpdate(priority: 3, amount: -1) }
            if benchmark == .batchDelete { _ = try opened.batchDelete(priority: 3) }
        case .addColumn, .addDefault:
            let file = arguments.folder.appendingPathComponent("\(subject.name)-peak.sqlite")
            defer { Runner.remove(file) }
            try FileManager.default.copyItem(
                at: arguments.folder.appendingPathComponent("\(subject.name)-full.sqlite"),
                to: file
            )
            try subject.addColumn(to: file, default: benchmark == .addDefault ? 7 : nil)
        }
        print(try highWaterMark())
    }

    /// Starts this executable again for each subject of a case, and returns the peak of each.
    static func measure(_ benchmark: String, _ subjects: [String], _ arguments: Arguments) throws -> [String: Int] {
        var peaks: [String: Int] = [:]
        for subject in subjects {
            peaks[subject] = try runChild("\(benchmark)/\(subject)", "--peak", arguments)
        }
        return peaks
    }

    /// Starts this executable again with one option and returns the number it printed.
    static func runChild(_ pair: String, _ option: String, _ arguments: Arguments) throws -> Int {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = [
            "--only", pair, option, "--rows", String(arguments.rows),
            "--folder", arguments.folder.path,
        ]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        guard child.terminationStatus == 0, let bytes = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkError("The child for \(pair) failed: \(text)")
        }
        return bytes
    }

    /// `VmHWM` of this process: the most that was ever resident.
    static func highWaterMark() throws -> Int { try status("VmHWM") }

    /// One of the kernel's figures on this process, in bytes.
    static func status(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw BenchmarkError("/proc/self/status has no \(name); memory is measured on Linux only.")
        }
        return kilobytes * 1024
    }
}
