// Figures specific to the sharing cases. The report prints them by name and writes each as a field.

/// A named figure.
struct Figure {
    var name: String
    var value: Double

    init(_ name: String, _ value: Double) {
        self.name = name
        self.value = value
    }

    /// The median of each figure over the rounds.
    static func medians(of rounds: [[Figure]]) -> [Figure] {
        (rounds.first ?? []).enumerated().map { index, figure in
            let median = Measurement.median(rounds.map { $0[index].value })
            return Figure(figure.name, (median * 10_000).rounded() / 10_000)
        }
    }

    /// A figure's name as a field of JSON.
    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
