// Rounds and clocks. Every round times every subject once, each round beginning with another one, so that a slow
// moment of the machine does not fall on one subject alone.
import Foundation

/// Times cases over subjects.
struct Runner {
    var arguments: Arguments
    var input: [InputRow]
    var expected: Checksum

    init(arguments: Arguments) {
        self.arguments = arguments
        input = InputRow.make(count: arguments.rows)
        expected = Checksum(of: input)
    }

    /// Nanoseconds a row by subject, one figure a round.
    func run(_ benchmark: Case, _ subjects: [any Subject.Type]) throws -> [String: [Double]] {
        switch benchmark {
        case .fetch: try runFetch(subjects)
        case .insert: try runInsert(subjects) { try $0.insert($1) }
        case .batchInsert: try runInsert(subjects) { try $0.batchInsert($1) }
        case .batchUpdate: try runBatch(subjects) { try $0.batchUpdate(priority: 3, amount: -1) }
        case .batchDelete: try runBatch(subjects) { try $0.batchDelete(priority: 3) }
        case .addColumn: try runMigration(subjects, default: nil)
        case .addDefault: try runMigration(subjects, default: 7)
        }
    }

    /// The file of a subject that holds all rows.
    func fullFile(_ subject: any Subject.Type) -> URL {
        arguments.folder.appendingPathComponent("\(subject.name)-full.sqlite")
    }

    private func runFetch(_ subjects: [any Subject.Type]) throws -> [String: [Double]] {
        let opened = try subjects.map { subject in
            try Self.makeFull(subject, at: fullFile(subject), input)
        }
        return try rounds { round in
            try rotated(opened, by: round).map { subject in
                let name = type(of: subject).name
                let (nanoseconds, checksum) = try Self.timed { try subject.fetch() }
                guard checksum == expected else {
                    throw BenchmarkError("\(name) read \(checksum), not \(expected): its figures would mean nothing.")
                }
                return (name, nanoseconds / Double(input.count))
            }
        }
    }

    private func runInsert(
        _ subjects: [any Subject.Type],
        _ insert: (any Subject, [InputRow]) throws -> Void
    ) throws -> [String: [Double]] {
        try rounds { round in
            try rotated(subjects, by: round).map { subject in
                let file = arguments.folder.appendingPathComponent("\(subject.name)-\(round).sqlite")
                defer { Self.remove(file) }
                let opened = try subject.init(file: file)
                let (nanoseconds, _) = try Self.timed { try insert(opened, input) }
                guard try round > 0 || opened.fetch() == expected else {
                    throw BenchmarkError("\(subject.name) did not read back what it wrote.")
                }
                return (subject.name, nanoseconds / Double(input.count))
            }
        }
    }

    /// Times what is done to a fifth of the rows of a new file.
    private func runBatch(
        _ subjects: [any Subject.Type],
        _ body: (any Subject) throws -> Int
    ) throws -> [String: [Double]] {
        let wanted = input.count { $0.priority == 3 }
        return try rounds { round in
            try rotated(subjects, by: round).map { subject in
                let file = arguments.folder.appendingPathComponent("\(subject.name)-\(round).sqlite")
                defer { Self.remove(file) }
                let opened = try Self.makeFull(subject, at: file, input)
                let (nanoseconds, count) = try Self.timed { try body(opened) }
                guard count == wanted else {
                    throw BenchmarkError("\(subject.name) met \(count) rows, not \(wanted).")
                }
                return (subject.name, nanoseconds / Double(max(1, count)))
            }
        }
    }

    /// Times what adds a column to a copy of a full file.
    private func runMigration(_ subjects: [any Subject.Type], default fallback: Int?) throws -> [String: [Double]] {
        for subject in subjects { try Self.makeFull(subject, at: fullFile(subject), input) }
        return try rounds { round in
            try rotated(subjects, by: round).map { subject in
                let (nanoseconds, _) = try onCopy(subject, "\(subject.name)-\(round)") { file in
                    try Self.timed { try subject.addColumn(to: file, default: fallback) }
                }
                return (subject.name, nanoseconds / Double(input.count))
            }
        }
    }

    /// Runs a body on a copy of the full file of a subject, which is removed again.
    func onCopy<T>(_ subject: any Subject.Type, _ name: String, _ body: (URL) throws -> T) throws -> T {
        let file = arguments.folder.appendingPathComponent("\(name).sqlite")
        defer { Self.remove(file) }
        try FileManager.default.copyItem(at: fullFile(subject), to: file)
        // Flush the copy now, so that its write-back does not fall into the timed work.
        sync()
        return try body(file)
    }

    /// Round 0 warms up and checks; it is not counted.
    func rounds<T>(_ body: (Int) throws -> [(String, T)]) throws -> [String: [T]] {
        var figures: [String: [T]] = [:]
        for round in 0...arguments.rounds {
            for (name, figure) in try body(round) where round > 0 {
                figures[name, default: []].append(figure)
            }
        }
        return figures
    }

    func rotated<T>(_ values: [T], by count: Int) -> [T] {
        guard !values.isEmpty else { return [] }
        let start = count % values.count
        return Array(values[start...] + values[..<start])
    }

    static func timed<T>(_ body: () throws -> T) rethrows -> (Double, T) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        return (nanoseconds(start.duration(to: clock.now)), result)
    }

    static func nanoseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }

    /// Opens a new file and fills it.
    @discardableResult
    static func makeFull(_ subject: any Subject.Type, at file: URL, _ input: [InputRow]) throws -> any Subject {
        remove(file)
        let opened = try subject.init(file: file)
        try opened.batchInsert(input)
        return opened
    }

    static func remove(_ file: URL) {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + ending)
        }
    }
}
