// The command: times every subject, measures its peak in a child, prints a table and writes the results.
import Foundation

@main
enum Benchmark {
    static func main() {
        do {
            if CommandLine.arguments.contains("--help") {
                print(Arguments.usage)
                return
            }
            try run(Arguments(Array(CommandLine.arguments.dropFirst())))
        } catch {
            FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) throws {
        try FileManager.default.createDirectory(at: arguments.folder, withIntermediateDirectories: true)
        let pairs = Case.allCases.map { benchmark in
            (benchmark, allSubjects.filter { arguments.includes(benchmark, $0) })
        }
        if arguments.peak {
            for (benchmark, subjects) in pairs {
                for subject in subjects { try PeakMemory.runAsChild(benchmark, subject, arguments) }
            }
            return
        }
        let holders = allSubjects.filter { arguments.includes(case: HeldMemory.name, $0) }
        if arguments.held {
            for subject in holders { try HeldMemory.runAsChild(subject, arguments) }
            return
        }
        defer { try? FileManager.default.removeItem(at: arguments.folder) }
        guard pairs.contains(where: { !$0.1.isEmpty }) || !holders.isEmpty else {
            let cases = Case.allCases.map(\.rawValue).joined(separator: ", ")
            let names = allSubjects.map { $0.name }.joined(separator: ", ")
            throw BenchmarkError("Nothing to run. Cases: \(cases), memory. Subjects: \(names).")
        }
        let runner = Runner(arguments: arguments)
        var report = Report(rows: arguments.rows, rounds: arguments.rounds, sqliteVersion: CAPISubject.version)
        for (benchmark, subjects) in pairs where !subjects.isEmpty {
            print("\(benchmark.rawValue): \(subjects.map { $0.name }.joined(separator: ", ")) …")
            let figures = try runner.run(benchmark, subjects)
            var peaks: [String: Int] = [:]
            for subject in subjects {
                peaks[subject.name] = try PeakMemory.measure(benchmark, subject, arguments)
            }
            report.add(benchmark, subjects, figures, peaks: peaks)
        }
        if !holders.isEmpty {
            print("\(HeldMemory.name): \(holders.map { $0.name }.joined(separator: ", ")) …")
            report.addHeld(try holders.map { ($0.name, try HeldMemory.measure($0, arguments)) })
        }
        print("\n" + report.table)
        if arguments.only == nil {
            try report.write(to: arguments.output)
            print("\nWritten to \(arguments.output.path).")
        }
    }
}
