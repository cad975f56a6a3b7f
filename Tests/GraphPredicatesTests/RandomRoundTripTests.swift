// Tests random trees: printed forms parse back to equal trees, and damaged formats never crash the parser. The seed is
// printed; set PREDICATE_SEED to repeat a run, PREDICATE_CASES for a longer one.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Random formats")
struct RandomRoundTripTests {
    static let seed =
        ProcessInfo.processInfo.environment["PREDICATE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)

    static let cases = ProcessInfo.processInfo.environment["PREDICATE_CASES"].flatMap(Int.init) ?? 1_500

    @Test("Printed random trees parse back to equal trees, and evaluation never crashes")
    func roundTrip() throws {
        print("PREDICATE_SEED=\(Self.seed)")
        var generator = TreeGenerator(seed: Self.seed)
        for _ in 0..<Self.cases {
            let node = generator.predicate(depth: 4)
            let text = PredicatePrinter.print(node)
            do {
                let again = try PredicateParser.parse(format: text, arguments: [])
                expectEqual(again, node, "seed \(Self.seed): \(text) became \(PredicatePrinter.print(again))")
                expectEqual(again.hashValue, node.hashValue, "seed \(Self.seed): \(text)")
            } catch {
                Issue.record("seed \(Self.seed): \(error)")
            }
            let first = try? Evaluator(node).evaluate(KeyPathTests.library)
            let second = try? Evaluator(node).evaluate(KeyPathTests.library)
            if !text.contains("random") && !text.contains("now") { expectEqual(first, second, "\(text)") }
        }
    }

    @Test("Damaged formats result in an error or a tree, never a crash")
    func damage() {
        var generator = TreeGenerator(seed: Self.seed)
        let junk = Array("()[]{}%@$#'\"\\.,:=<>!&|*-+/~^ANDORNOTIN0123456789 éabc\u{0}“").map(String.init)
        for _ in 0..<Self.cases {
            var characters = PredicatePrinter.print(generator.predicate(depth: 3)).map(String.init)
            for _ in 0..<Int.random(in: 1...4, using: &generator.random) {
                let place = Int.random(in: 0...characters.count, using: &generator.random)
                let piece = junk.randomElement(using: &generator.random) ?? ""
                if Bool.random(using: &generator.random) || place == characters.count {
                    characters.insert(piece, at: place)
                } else {
                    characters[place] = piece
                }
            }
            let format = characters.joined()
            do {
                _ = try PredicateParser.parse(format: format, arguments: [1, "a", ["b"]])
            } catch let error as PredicateFormatError {
                #expect(error.position <= format.count, "seed \(Self.seed): \(format)")
                #expect(!error.description.isEmpty)
            } catch {
                Issue.record("seed \(Self.seed): \(error)")
            }
        }
    }
}
