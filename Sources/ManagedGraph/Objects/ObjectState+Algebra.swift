// The operations of OptionSet for states, which hide the generic ones of the standard library. Those are slow in programs
// that are built without optimization: they were a tenth of the time of programs and tests that work with objects.

extension ObjectState {
    init(arrayLiteral elements: ObjectState...) {
        var bits: UInt32 = 0
        for element in elements { bits |= element.rawValue }
        self.init(rawValue: bits)
    }

    func contains(_ other: ObjectState) -> Bool { rawValue & other.rawValue == other.rawValue }

    func isDisjoint(with other: ObjectState) -> Bool { rawValue & other.rawValue == 0 }

    func intersection(_ other: ObjectState) -> ObjectState { ObjectState(rawValue: rawValue & other.rawValue) }

    func union(_ other: ObjectState) -> ObjectState { ObjectState(rawValue: rawValue | other.rawValue) }

    mutating func insert(_ other: ObjectState) { self = union(other) }

    mutating func formUnion(_ other: ObjectState) { self = union(other) }

    mutating func formIntersection(_ other: ObjectState) { self = intersection(other) }

    mutating func remove(_ other: ObjectState) { subtract(other) }

    mutating func subtract(_ other: ObjectState) { self = ObjectState(rawValue: rawValue & ~other.rawValue) }
}
