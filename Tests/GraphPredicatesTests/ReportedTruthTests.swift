// Tests assertions about predicates: ours, from the documented meaning of each operator, and those that other projects
// make about Apple's implementation, except the entries listed here with the reason why they are not followed.

import Foundation
import GraphPredicates
import Testing

@Suite("Reported truths")
struct ReportedTruthTests {
    /// Entries that are not followed.
    static let oddities: [String: String] = [
        "~(1) == 0 -> Optional(true)": "the complement of 1 is -2; the author's own evaluator meant a logical NOT",
        "$a == 1 -> \"a\" == 1": "printed after the variable was given the text \"a\"; the entry lost the substitution",
    ]

    @Test("Values and printed forms that documentation and others assert hold here")
    func truths() throws {
        var held = 0
        for entry in try Material.list("predicate-truth.json") {
            let format = try #require(entry["format"] as? String)
            let wantedBool = entry["expect_bool"] as? Bool
            let wantedFormat = entry["expect_format"] as? String
            let wantedValue = entry["expect_value"] as? String
            let claim = "\(format) -> \(wantedFormat ?? wantedValue ?? String(describing: wantedBool))"
            var isTrue = false
            do {
                if let wantedFormat {
                    isTrue = try printed(format) == wantedFormat
                } else if let wantedBool {
                    isTrue = try holds(format) == wantedBool
                } else if let wantedValue {
                    isTrue = try value(format).isEqual(to: Self.objectiveC(wantedValue))
                }
            } catch {
                Issue.record("\(claim): \(error)")
            }
            if isTrue { held += 1 }
            #expect(isTrue != (Self.oddities[claim] != nil), "\(claim)")
        }
        print("Asserted truths: \(held) hold, \(Self.oddities.count) are oddities")
        #expect(held >= Material.least(45, fixtures: 120))
    }

    /// `@1`, `@(-1)`, `@"A"`.
    private static func objectiveC(_ text: String) -> EvaluatedValue {
        let body = text.dropFirst().filter { !"()".contains($0) }
        if body.hasPrefix("\"") { return .text(String(body.dropFirst().dropLast())) }
        return Int64(body).map(EvaluatedValue.integer) ?? .null
    }
}
