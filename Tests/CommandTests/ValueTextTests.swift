// Tests values as texts: each is parsed as the value that was written, to the last bit.
import ExpectationSupport
import Foundation
import GraphSQLite
import Testing

@testable import ManagedGraphTools

@Suite("Values as texts")
struct ValueTextTests {
    @Test("Dates are parsed as the number that was written, whatever their fraction, and have the expected form")
    func dates() throws {
        expectEqual(DateText.text(0), "2001-01-01T00:00:00Z")
        expectEqual(DateText.text(-978_307_200), "1970-01-01T00:00:00Z")
        expectEqual(DateText.text(816_976_800.5), "2026-11-21T18:00:00.500Z")
        expectEqual(DateText.text(-0.25), "2000-12-31T23:59:59.750Z")
        expectNil(DateText.text(1e300))
        expectNil(DateText.text(.nan))
        expectNil(DateText.text(.infinity))
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let seconds = Double.random(in: -6.3e10...2.5e11, using: &random)
            let small = Double.random(in: -2...2, using: &random)
            for value in [seconds, small, seconds.rounded(), (seconds * 1_000).rounded() / 1_000] {
                guard let text = DateText.text(value) else {
                    // Near the reference date, some numbers cannot be written as seconds with a fraction.
                    #expect(abs(value) < 1)
                    continue
                }
                expectEqual(DateText.seconds(text), value, "\(text)")
            }
        }
    }

    @Test(
        "Foreign dates are accepted: days, offsets, no seconds; invalid dates are not",
        arguments: [
            ("2001-01-02", 86_400), ("2001-01-01T01:00:00+01:00", 0), ("2001-01-01 00:01", 60),
            ("2000-12-31T19:00:00-0500", 0),
            ("2001-01-01T00:00:00.5Z", 0.5), ("2001-01-01T00:00:00,25", 0.25), ("2000-02-29", -26_524_800),
        ] as [(String, Double)]
    )
    func foreignDates(text: String, wanted: Double) {
        expectEqual(DateText.seconds(text), wanted)
        for wrong in [
            "2001-02-29", "2001-13-01", "2001-01-01T24:00:00", "2001-1-1", "2001-01-01T", "", "2001-01-01Zz", "x",
        ] {
            expectNil(DateText.seconds(wrong), "\(wrong)")
        }
    }

    @Test("SQLite reads numbers in a dump as the same numbers")
    func literals() throws {
        let connection = try Connection(path: ":memory:", mode: .create)
        var numbers: [Double] = [
            0, -0.1, 1e308, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity,
            -.infinity, 1e15,
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            numbers.append(Double.random(in: -1e9...1e9, using: &random))
            let any = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            if any.isFinite { numbers.append(any) }
        }
        for number in numbers {
            let literal = StoreDump.literal(number)
            try expectEqual(connection.rows("SELECT \(literal)").first?.first, .real(number), "\(literal)")
        }
        connection.close()
    }
}
