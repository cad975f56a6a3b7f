// The command line. Parsed once at the start; child processes get the options they need.
import Foundation

/// The options of a run.
struct Arguments {
    /// The number of rows of every case, instead of the case's own sizes.
    var rows: Int?
    var rounds = 5
    /// `case`, `case/subject`, `/subject`; an empty or missing half means all.
    var only: (caseName: String, subject: String)?
    /// Run the large sizes too.
    var growth = false
    /// Run every case at two sizes, in place of its own.
    var scaling = false
    /// The child's figure of the one pair in `only`: `peak` or `held`.
    var child: String?
    /// The case whose work of ManagedGraph runs once, for a tool that counts instructions.
    var count: String?
    /// Only create the files for `count`.
    var preparesOnly = false
    /// The folder for the databases; `isTemporary` if the run made it.
    var folder: URL
    var isTemporary = true
    /// The file for the results; nil for none.
    var output: URL?
    /// The file for the picture; nil for none.
    var plot: URL?

    static let usage = """
        Usage: benchmark [--rows n] [--rounds 5] [--only case/subject] [--growth] [--scaling] [--folder path]
                         [--output file] [--plot file]
          --rows    rows in every case (each case has sizes of its own if left out)
          --rounds  timed rounds; the median counts (at least 5, unless --only is given)
          --only    a case, a subject, or both: fetch-read/grdb-codable, insert-save, /c-api
          --growth  measure the cases that must not slow down with size at 2,000,000 rows too
          --scaling compare the cost of a row at 20,000 and 2,000,000 rows in every case, without GRDB (three rounds)
          --folder  the folder for the databases (a temporary folder if left out)
          --output  the results as JSON (Benchmarks/results.json or scaling.json, or none with --only, if left out)
          --plot    the ratios as SVG (Benchmarks/results.svg, or none with --only, if left out)
          --list    print the cases, their goals and subjects
          --count   run a case of ManagedGraph once, for callgrind; with --prepare make its files only
        """

    init(_ arguments: [String]) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("managedgraph-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--growth":
                growth = true
                continue
            case "--scaling":
                scaling = true
                continue
            case "--prepare":
                preparesOnly = true
                continue
            default: break
            }
            guard let value = rest.popFirst() else { throw BenchmarkError("\(option) needs a value.\n\(Self.usage)") }
            switch option {
            case "--rows": rows = try Self.number(value, for: option)
            case "--rounds": rounds = try Self.number(value, for: option)
            case "--only":
                let halves = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                only = (String(halves[0]), halves.count > 1 ? String(halves[1]) : "")
            case "--child": child = value
            case "--count": count = value
            case "--folder":
                folder = URL(fileURLWithPath: value)
                isTemporary = false
            case "--output": output = URL(fileURLWithPath: value)
            case "--plot": plot = URL(fileURLWithPath: value)
            default: throw BenchmarkError("There is no option \(option).\n\(Self.usage)")
            }
        }
        if scaling { rounds = 3 }
        guard only == nil else { return }
        if scaling {
            output = output ?? package.appendingPathComponent("scaling.json")
            return
        }
        rounds = max(5, rounds)
        output = output ?? package.appendingPathComponent("results.json")
        plot = plot ?? package.appendingPathComponent("results.svg")
    }

    /// The sizes at which a case runs.
    func sizes(of benchmark: BenchmarkCase) -> [Int] {
        if let rows { return [rows] }
        if scaling { return benchmark.scalingSizes }
        return growth ? benchmark.sizes + benchmark.growth : benchmark.sizes
    }

    func includes(case name: String, subject: String) -> Bool {
        if scaling, subject.hasPrefix("grdb") { return false }
        guard let only else { return true }
        let isCase = only.caseName.isEmpty || only.caseName == name
        return isCase && (only.subject.isEmpty || only.subject == subject)
    }

    private static func number(_ text: String, for option: String) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw BenchmarkError("\(option) needs a positive number, not \(text).")
        }
        return number
    }
}
