// Random trees of Foundation's predicate expressions over plans, evaluated in SQL, in memory and by Foundation.
import Foundation
import ManagedGraph
import Testing

struct RandomSwiftPredicates {
    private typealias Condition = any StandardPredicateExpression<Bool>
    private typealias Build = PredicateExpressions

    /// Generates trees; the same seed produces the same trees.
    private struct Generator {
        var seed: UInt64
        let plan: PredicateExpressions.Variable<Plan>

        mutating func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }

        mutating func condition(_ depth: Int) -> Condition {
            guard depth > 0, next(3) > 0 else { return leaf() }
            let (one, other) = (condition(depth - 1), condition(depth - 1))
            switch next(4) {
            case 0: return and(one, other)
            case 1: return or(one, other)
            case 2: return not(one)
            default: return choose(one, other, condition(depth - 1))
            }
        }

        private func and(_ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>)
            -> Condition
        {
            Build.build_Conjunction(lhs: a, rhs: b)
        }

        private func or(_ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>)
            -> Condition
        {
            Build.build_Disjunction(lhs: a, rhs: b)
        }

        private func not(_ a: some StandardPredicateExpression<Bool>) -> Condition { Build.build_Negation(a) }

        private func choose(
            _ test: some StandardPredicateExpression<Bool>,
            _ a: some StandardPredicateExpression<Bool>,
            _ b: some StandardPredicateExpression<Bool>
        ) -> Condition {
            Build.build_Conditional(test, a, b)
        }

        private mutating func leaf() -> Condition {
            let words = ["a", "b", "beta", "", "Gamma 9", "Éclair", "al"]
            let (word, number) = (words[next(words.count)], Int64(next(8) - 3))
            let share = Double(next(6)) / 4
            let title = Build.build_KeyPath(root: plan, keyPath: \.title)
            let note = Build.build_KeyPath(root: plan, keyPath: \.note)
            let rank = Build.build_KeyPath(root: plan, keyPath: \.rank)
            let weight = Build.build_KeyPath(root: plan, keyPath: \.weight)
            let done = Build.build_KeyPath(root: plan, keyPath: \.isDone)
            let place = Build.build_KeyPath(root: plan, keyPath: \.place)
            let labels = Build.build_KeyPath(root: plan, keyPath: \.labels)
            let floor = Build.build_flatMap(place) { Build.build_KeyPath(root: $0, keyPath: \.floor) }
            let name = Build.build_flatMap(place) { Build.build_KeyPath(root: $0, keyPath: \.name) }
            switch next(16) {
            case 0: return Build.build_Equal(lhs: title, rhs: Build.build_Arg(word))
            case 1: return Build.build_Comparison(lhs: rank, rhs: Build.build_Arg(number), op: .lessThan)
            case 2: return Build.build_NotEqual(lhs: note, rhs: Build.build_Arg(Optional(word)))
            case 3:
                let noteOrWord = Build.build_NilCoalesce(lhs: note, rhs: Build.build_Arg(word))
                return Build.build_contains(noteOrWord, Build.build_Arg("a"))
            case 4: return Build.build_Equal(lhs: floor, rhs: Build.build_Arg(Optional(number)))
            case 5: return Build.build_NotEqual(lhs: floor, rhs: Build.build_Arg(Optional(number)))
            case 6:
                let value = Build.build_NilCoalesce(lhs: floor, rhs: Build.build_Arg(number))
                return Build.build_Comparison(lhs: value, rhs: rank, op: .greaterThanOrEqual)
            case 7:
                return Build.build_contains(labels) {
                    Build.build_Conjunction(
                        lhs: Build.build_Comparison(
                            lhs: Build.build_KeyPath(root: $0, keyPath: \.value),
                            rhs: Build.build_Arg(number * 10),
                            op: .greaterThanOrEqual
                        ),
                        rhs: Build.build_NotEqual(
                            lhs: Build.build_KeyPath(root: $0, keyPath: \.name),
                            rhs: Build.build_Arg(Optional("red"))
                        )
                    )
                }
            case 8:
                return Build.build_allSatisfy(labels) {
                    Build.build_Comparison(
                        lhs: Build.build_KeyPath(root: $0, keyPath: \.value),
                        rhs: Build.build_Arg(number * 10),
                        op: .greaterThan
                    )
                }
            case 9:
                let count = Build.build_KeyPath(root: labels, keyPath: \.count)
                return Build.build_Equal(lhs: count, rhs: Build.build_Arg(Int(number)))
            case 10:
                let starts = Build.build_flatMap(note) { Build.build_starts($0, with: Build.build_Arg(word)) }
                let heavy = Build.build_Comparison(lhs: weight, rhs: Build.build_Arg(share), op: .greaterThan)
                return Build.build_NilCoalesce(lhs: starts, rhs: heavy)
            case 11:
                let twice = Build.build_Arithmetic(lhs: weight, rhs: Build.build_Arg(2.0), op: .multiply)
                return Build.build_Comparison(lhs: twice, rhs: Build.build_Arg(share), op: .greaterThanOrEqual)
            case 12:
                let sum = Build.build_Arithmetic(lhs: rank, rhs: Build.build_Arg(number), op: .add)
                let isPositive = Build.build_Comparison(lhs: sum, rhs: Build.build_Arg(Int64(0)), op: .greaterThan)
                return Build.build_Equal(lhs: done, rhs: isPositive)
            case 13: return Build.build_Equal(lhs: name, rhs: note)
            case 14: return Build.build_contains(Build.build_Arg([number, number + 2]), rank)
            default: return done
            }
        }
    }

    @Test("Random predicates give the same results in SQL, in memory and in Foundation")
    func random() throws {
        let plans = try SwiftPredicateTests.Plans()
        let start = UInt64.random(in: 0..<1_000_000)
        for number in 0..<400 {
            let predicate = Predicate<Plan> { plan in
                var generator = Generator(seed: start &+ UInt64(number) &* 7919, plan: plan)
                _ = generator.next(7)
                return generator.condition(3)
            }
            try plans.check(predicate, "seed \(start), predicate \(number)")
        }
    }
}
