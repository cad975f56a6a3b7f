// The figures of a case at one size. Created by Runner, read by Report.

/// The figures of all rounds of a case, by subject.
struct Measurement {
    var name: String
    var rows: Int
    private(set) var values: [String: [Double]] = [:]
    private(set) var figures: [String: [[Figure]]] = [:]
    /// Bytes.
    var peaks: [String: Int] = [:]

    init(name: String, rows: Int) {
        self.name = name
        self.rows = rows
    }

    mutating func add(_ value: Double, _ figures: [Figure], for subject: String) {
        values[subject, default: []].append(value)
        self.figures[subject, default: []].append(figures)
    }

    func median(_ subject: String) -> Double? { values[subject].map(Self.median) }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
