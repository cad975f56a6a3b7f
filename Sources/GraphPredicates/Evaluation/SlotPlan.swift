// A predicate compiled for the objects of one class whose keys have the same slots. The evaluator creates and keeps a
// plan when it first evaluates such an object.

import Foundation

/// A predicate for objects of one class and layout.
final class SlotPlan: @unchecked Sendable {
    // Unchecked: immutable, and its closures capture only values of the predicate's tree.

    private enum Way {
        /// The class has no slots, or the predicate reads none of them.
        case general
        /// A test that reads slots only.
        case slots
        /// Some parts of the predicate need the object as a value.
        case mixed(PredicateCompiler.Test)
    }

    /// The maximum number of plans of an evaluator; objects of further classes are evaluated without one.
    private static let limit = 16

    private let type: ObjectIdentifier
    private let box: ObjectBox
    /// The class; nil if it has no slots.
    private let readable: (any SlotReadable.Type)?
    private let number: UInt32
    private let way: Way
    /// The test for `Way.slots`.
    private let test: PredicateCompiler.SlotTest
    /// The previous plan.
    private let next: SlotPlan?
    private let length: Int

    /// Compiles a predicate for an object; nil if there are enough plans.
    init?(_ node: PredicateNode, for object: Any, before next: SlotPlan?) {
        length = (next?.length ?? 0) + 1
        guard length <= Self.limit else { return nil }
        self.next = next
        let type = Swift.type(of: object)
        self.type = ObjectIdentifier(type)
        readable = type is AnyClass ? type as? any SlotReadable.Type : nil
        guard let readable, let reference = ObjectBox.reference(object) else {
            box = .none
            number = 0
            way = .general
            test = .init { _ in false }
            return
        }
        box = ObjectBox(object)
        let sample = SlotReference(type: readable, object: reference)
        defer { withExtendedLifetime(object) {} }
        number = readable.slotsNumber(of: sample.object)
        let compiler = PredicateCompiler(sample: sample)
        if let test = compiler.slotTest(node) {
            way = .slots
            self.test = test
        } else {
            way = node.hasSlots(of: sample) ? .mixed(compiler.test(node)) : .general
            test = .init { _ in false }
        }
    }

    /// The result of looking for a plan.
    enum Answer {
        case judged(Bool)
        /// The object requires the general test.
        case general
        /// No plan matches the object.
        case unknown
    }

    /// Evaluates an object by this plan; nil if the plan is for other objects.
    @inline(__always)
    func quickAnswer(_ object: UnsafePointer<Any?>) throws -> Bool? {
        guard let reference = box.reference(object), let readable, readable.slotsNumber(of: reference) == number,
            case .slots = way
        else { return nil }
        return try test.holds(SlotReference(type: readable, object: reference))
    }

    /// Evaluates an object by the first matching plan among this one and the earlier ones.
    ///
    /// O(number of plans).
    func answer(_ candidate: Any, _ variables: [String: Any]) throws -> Answer {
        defer { withExtendedLifetime(candidate) {} }
        let type = ObjectIdentifier(Swift.type(of: candidate))
        var plan: SlotPlan? = self
        while let current = plan {
            plan = current.next
            guard current.type == type else { continue }
            guard let readable = current.readable, let object = ObjectBox.reference(candidate) else { return .general }
            let reference = SlotReference(type: readable, object: object)
            guard readable.slotsNumber(of: object) == current.number, current.box == ObjectBox(candidate) else {
                continue
            }
            switch current.way {
            case .general: return .general
            case .slots: return .judged(try current.test.holds(reference))
            case .mixed(let test):
                var scope = EvaluationScope(candidate, slots: reference, variables: variables)
                return .judged(try test(&scope))
            }
        }
        return length < Self.limit ? .unknown : .general
    }
}

extension PredicateNode {
    /// Whether a predicate reads a key that has a slot, or a path from one.
    fileprivate func hasSlots(of sample: SlotReference) -> Bool {
        var hasSlot = false
        _ = mapped(
            PredicateMapping(keyPath: { keys in
                if let key = keys.first, sample.slot(forKey: key) != nil { hasSlot = true }
                return .keyPath(keys)
            })
        )
        return hasSlot
    }
}
