// The result of one measurement. Made by Report; ReportTable and Plot show it.

/// The result of a case for one subject at one size.
struct Result: Encodable {
    var `case`: String
    var subject: String
    var rows: Int
    /// The unit of the median, the minimum and the spread.
    var unit: Unit
    /// The median over the rounds.
    var median: Double
    var minimum: Double
    /// The largest minus the smallest.
    var spread: Double
    /// The subject that the ratio refers to.
    var yardstick: String
    /// The median divided by the yardstick's in the same run; nil if there is none.
    var ratio: Double?
    /// Nil for a memory case.
    var peakBytes: Int?
    /// The goals of ManagedGraph.
    var goals: [Goal] = []
    /// The number of timed rounds.
    var rounds: Int
    /// The figures specific to this case: the median of each over the rounds.
    var figures: [Figure] = []

    /// The unit of a median.
    enum Unit: String {
        case nanosecondsPerRow, milliseconds, bytesPerRow
    }

    var ratioName: String { yardstick == SubjectName.cAPI ? "ratioToCAPI" : "ratioTo-\(yardstick)" }

    /// Whether all goals are reached; nil without a goal or the yardstick for it.
    var reached: Bool? {
        let verdicts = goals.compactMap { $0.isReached(value: median, ratio: ratio) }
        return verdicts.isEmpty ? nil : verdicts.allSatisfy { $0 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Figure.Name.self)
        func name(_ text: String) -> Figure.Name { Figure.Name(stringValue: text) }
        try container.encode(`case`, forKey: name("case"))
        try container.encode(subject, forKey: name("subject"))
        try container.encode(rows, forKey: name("rows"))
        try container.encode(median, forKey: name(unit.rawValue))
        try container.encode(minimum, forKey: name("minimum"))
        try container.encode(spread, forKey: name("spread"))
        try container.encodeIfPresent(ratio, forKey: name(ratioName))
        try container.encodeIfPresent(peakBytes, forKey: name("peakBytes"))
        if !goals.isEmpty { try container.encode(goals.map(\.description), forKey: name("goals")) }
        try container.encode(rounds, forKey: name("rounds"))
        try container.encodeIfPresent(reached, forKey: name("reached"))
        for figure in figures { try container.encode(figure.value, forKey: name(figure.name)) }
    }
}
