// Runs one case of ManagedGraph once, for a tool that counts instructions. Called with --count by Scripts/count.sh.

/// Runs the work of a case once.
enum Counting {
    static func main(_ name: String, _ arguments: Arguments) throws {
        guard let benchmark = allCases.first(where: { $0.name == name }), let rows = arguments.rows,
            let entrant = benchmark.entrants.first(where: { $0.subject == SubjectName.managedGraph })
        else { throw BenchmarkError("--count needs a case of ManagedGraph and --rows.") }
        try Runner(arguments).withSetting(rows) { setting in
            let work = try entrant.prepare(setting)
            if arguments.preparesOnly { return }
            _ = try countedWork(work).checksum()
        }
    }
}

/// The function that callgrind measures, from entry to return; callgrind finds it by this name.
@inline(never)
private func countedWork(_ work: Work) throws -> Outcome { try work() }
