// An object under evaluation whose values are read by slots. Created by SlotPlan for each object, and read by the
// closures of PredicateCompiler.

/// An object under evaluation with its class; valid during the call that evaluates it.
struct SlotReference {
    let type: any SlotReadable.Type
    let object: Unmanaged<AnyObject>

    @inline(__always)
    func slot(forKey key: String) -> ReadableSlot? { type.slot(of: object, forKey: key) }

    @inline(__always)
    func integer(_ slot: Int) -> SlotValue<Int64> { type.integer(of: object, in: slot) }

    @inline(__always)
    func real(_ slot: Int) -> SlotValue<Double> { type.real(of: object, in: slot) }

    @inline(__always)
    func text(_ slot: Int, matches matcher: TextMatcher) -> SlotValue<Bool> {
        type.text(of: object, in: slot, matches: matcher)
    }

    @inline(__always)
    func value(_ slot: Int) -> EvaluatedValue { type.value(of: object, in: slot) }
}
