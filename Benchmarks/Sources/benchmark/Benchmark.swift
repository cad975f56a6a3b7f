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
            (benchmark, allSubjects.filter { arguments.includes(case: benchmark.rawValue, subject: $0.name) })
        }
        let sharing = allSharingCases.map { benchmark in
            (benchmark, allSharedFiles.filter { arguments.includes(case: benchmark.name, subject: $0.name) })
        }
        if arguments.peak {
            for (benchmark, subjects) in pairs {
                for subject in subjects { try PeakMemory.runAsChild(benchmark, subject, arguments) }
            }
            for (benchmark, files) in sharing {
                for file in files { try Runner(arguments: arguments).runAsChild(benchmark, file) }
            }
            return
        }
        let holders = allSubjects.filter { arguments.includes(case: HeldMemory.name, subject: $0.name) }
        if arguments.held {
            for subject in holders { try HeldMemory.runAsChild(subject, arguments) }
            return
        }
        defer { try? FileManager.default.removeItem(at: arguments.folder) }
        guard pairs.contains(where: { !$0.1.isEmpty }) || sharing.contains(where: { !$0.1.isEmpty }) || !holders.isEmpty
        else {
            let cases = (Case.allCases.map(\.rawValue) + allSharingCases.map { $0.name }).joined(separator: ", ")
            let names = (allSubjects.map { $0.name } + [GRDBPool.name]).joined(separator: ", ")
            throw BenchmarkError("Nothing to run. Cases: \(cases), memory. Subjects: \(names).")
        }
        let runner = Runner(arguments: arguments)
        var report = Report(rows: arguments.rows, rounds: arguments.rounds, sqliteVersion: CAPISubject.version)
        for (benchmark, subjects) in pairs where !subjects.isEmpty {
            let (name, names) = (benchmark.rawValue, subjects.map { $0.name })
            print("\(name): \(names.joined(separator: ", ")) …")
            let times = try runner.run(benchmark, subjects)
            report.add(name, names, times, peaks: try PeakMemory.measure(name, names, arguments))
        }
        for (benchmark, files) in sharing where !files.isEmpty {
            let (name, names) = (benchmark.name, files.map { $0.name })
            print("\(name): \(names.joined(separator: ", ")) …")
            let rounds = try runner.run(benchmark, files)
            report.add(name, names, rounds, peaks: try PeakMemory.measure(name, names, arguments))
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
