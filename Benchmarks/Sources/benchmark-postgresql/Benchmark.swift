// A subject of the comparison on PostgreSQL. Scripts/bench-postgresql.py starts one process for each subject and case, and
// sends a line for each run; the answer is a line with the nanoseconds of the work and a checksum.
import Foundation

@main
enum Benchmark {
    static func main() {
        do {
            guard CommandLine.arguments.count == 5, let rows = Int(CommandLine.arguments[4]) else {
                throw BenchmarkError("benchmark-postgresql managedgraph|libpq ADDRESS CASE|fill ROWS")
            }
            let (subject, address, name) = (
                CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3]
            )
            let subjects: [String: any Subject.Type] = [
                "managedgraph": ManagedSubject.self, "libpq": PlainSubject.self,
            ]
            guard let type = subjects[subject] else { throw BenchmarkError("There is no subject \(subject).") }
            let measured = try type.init(address)
            if name == "fill" { return try fill(measured, rows) }
            guard let work = BenchmarkCase(named: name) else { throw BenchmarkError("There is no case \(name).") }
            while readLine() != nil {
                let run = try measured.prepare(work, rows)
                let began = ContinuousClock.now
                let sum = try run()
                let time = (ContinuousClock.now - began).components
                print(time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000, sum)
                fflush(nil)
            }
        } catch {
            FileHandle.standardError.write(Data("benchmark-postgresql: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func fill(_ subject: any Subject, _ rows: Int) throws {
        guard let subject = subject as? ManagedSubject else { throw BenchmarkError("managedgraph fills the tables.") }
        try subject.fill(rows)
    }
}
