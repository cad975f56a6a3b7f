// A predicate compiled for the objects of one class whose keys have the same slots. Made by the evaluator when it meets such
// an object, and kept by it.

import Foundation

/// A predicate for objects of one class and layout.
final class SlotPlan: @unchecked Sendable {
    // Unchecked: immutable, and its closures hold what the predicate's tree holds.

    private enum Way {
        /// The class has no slots, or the predicate asks for none of them.
        case general
        /// The test of slots alone.
        case slots
        /// Some parts of the predicate need the object as a value.
        case mixed(PredicateCompiler.Test)
    }

    /// An evaluator makes no more plans than this: objects of further classes are judged without one.
    private static let limit = 16

    private let type: ObjectIdentifier
    private let box: ObjectBox
    /// The class; nil if it has no slots.
    private let readable: (any SlotReadable.Type)?
    private let number: UInt32
    private let way: Way
    /// The test of slots, if that is the way.
    private let test: PredicateCompiler.SlotTest
    /// The plan that was made before.
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

    /// What plans know of an object.
    enum Answer {
        case judged(Bool)
        /// The object needs the general way.
        case general
        /// No plan is for this object.
        case unknown
    }

    /// Judges an object by this plan; nil if it is for others.
    @inline(__always)
    func quickAnswer(_ object: UnsafePointer<Any?>) throws -> Bool? {
        guard let reference = box.reference(object), let readable, readable.slotsNumber(of: reference) == number,
            case .slots = way
        else { return nil }
        return try test.holds(SlotReference(type: readable, object: reference))
    }

    /// Judges an object by the plan that fits it, of this one and those made before.
    ///
    /// O(number of plans).
    func answer(_ given: Any, _ variables: [String: Any]) throws -> Answer {
        defer { withExtendedLifetime(given) {} }
        let type = ObjectIdentifier(Swift.type(of: given))
        var plan: SlotPlan? = self
        while let current = plan {
            plan = current.next
            guard current.type == type else { continue }
            guard let readable = current.readable, let object = ObjectBox.reference(given) else { return .general }
            let reference = SlotReference(type: readable, object: object)
            guard readable.slotsNumber(of: object) == current.number, current.box == ObjectBox(given) else { continue }
            switch current.way {
            case .general: return .general
            case .slots: return .judged(try current.test.holds(reference))
            case .mixed(let test):
                var scope = EvaluationScope(given, slots: reference, variables: variables)
                return .judged(try test(&scope))
            }
        }
        return length < Self.limit ? .unknown : .general
    }
}

extension PredicateNode {
    /// Whether a predicate asks an object for a key that has a slot.
    fileprivate func hasSlots(of sample: SlotReference) -> Bool {
        var found = false
        _ = mapped(
            PredicateMapping(keyPath: { keys in
                if keys.count == 1, sample.slot(forKey: keys[0]) != nil { found = true }
                return .keyPath(keys)
            })
        )
        return found
    }
}
