// The command: times every case, measures peaks in child processes, prints a table and writes the results.
import Foundation

@main
enum Benchmark {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "--help": print(Arguments.usage)
            case "--list": list()
            case OpenChild.option: try OpenChild.main(Array(arguments.dropFirst()))
            default: try run(Arguments(Array(arguments)))
            }
        } catch {
            FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func list() {
        for benchmark in allCases {
            let goals = benchmark.goals.map(\.description).joined(separator: ", ")
            let subjects = benchmark.entrants.map(\.subject).joined(separator: ", ")
            print("\(benchmark.name): \(goals.isEmpty ? "-" : goals) (\(subjects))")
        }
    }

    private static func run(_ arguments: Arguments) throws {
        try FileManager.default.createDirectory(at: arguments.folder, withIntermediateDirectories: true)
        let result = Swift.Result { try runCases(arguments) }
        if arguments.isTemporary { try FileManager.default.removeItem(at: arguments.folder) }
        try result.get()
    }

    private static func runCases(_ arguments: Arguments) throws {
        if let name = arguments.count { return try Counting.main(name, arguments) }
        let cases = allCases.map { benchmark in
            benchmark.keeping { arguments.includes(case: benchmark.name, subject: $0) }
        }.filter { !$0.entrants.isEmpty }
        guard let first = cases.first else { throw BenchmarkError("Nothing to run; --list prints the cases.") }
        if let figure = arguments.child { return try Child.main(figure, first, arguments) }
        let runner = Runner(arguments)
        var report = Report(rounds: arguments.rounds, sqliteVersion: CDatabase.version)
        for benchmark in cases {
            for rows in arguments.sizes(of: benchmark) {
                let (nanoseconds, measurement) = try Runner.timed { try runner.run(benchmark, rows: rows) }
                report.add(benchmark, measurement)
                print("\(benchmark.name) at \(rows) rows: \(String(format: "%.1f", nanoseconds / 1e9)) s")
                // Output to a file is also flushed line by line.
                fflush(nil)
            }
        }
        print("\n" + (arguments.scaling ? report.scalingTable : report.table))
        if let output = arguments.output { try report.write(to: output) }
        if let plot = arguments.plot { try Plot(report).svg.write(to: plot, atomically: true, encoding: .utf8) }
        let written = [arguments.output, arguments.plot].compactMap { $0?.path }
        if !written.isEmpty { print("\nWritten to \(written.joined(separator: " and ")).") }
    }
}
