// The command line. Read once at the start; children get the same options again.
import Foundation

/// The options of a run.
struct Arguments {
    var rows = 200_000
    var rounds = 7
    /// `case/subject`, `case/`, `/subject`; an empty half means all.
    var only: (caseName: String, subject: String)?
    /// Print the peak memory of the one pair in `only`, and nothing else.
    var peak = false
    /// Print the bytes that the rows of the one subject in `only` take in memory, and nothing else.
    var held = false
    /// The folder for the databases.
    var folder: URL
    var output: URL

    static let usage = """
        Usage: benchmark [--rows 200000] [--rounds 7] [--only case/subject] [--folder path] [--output file]
          --rows    rows in each table
          --rounds  timed rounds; the median counts (at least 7, unless --only is given)
          --only    a case (fetch, insert, batch-insert, batch-update, batch-delete, add-column, add-default,
                    read-during-save, two-readers, memory), a subject, or both: fetch/grdb-codable, insert/, /c-api
          --folder  where the databases are put (a temporary folder if left out)
          --output  the results as JSON (Benchmarks/results.json if left out; none with --only)
        """

    init(_ arguments: [String]) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("managedgraph-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        output = package.appendingPathComponent("results.json")
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--peak" {
                peak = true
                continue
            }
            if option == "--held" {
                held = true
                continue
            }
            guard let value = rest.popFirst() else { throw BenchmarkError("\(option) needs a value.\n\(Self.usage)") }
            switch option {
            case "--rows": rows = try Self.number(value, for: option)
            case "--rounds": rounds = try Self.number(value, for: option)
            case "--only":
                let halves = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2 else { throw BenchmarkError("--only is case/subject.\n\(Self.usage)") }
                only = (String(halves[0]), String(halves[1]))
            case "--folder": folder = URL(fileURLWithPath: value)
            case "--output": output = URL(fileURLWithPath: value)
            default: throw BenchmarkError("There is no option \(option).\n\(Self.usage)")
            }
        }
        if only == nil { rounds = max(7, rounds) }
    }

    func includes(case name: String, subject: String) -> Bool {
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
