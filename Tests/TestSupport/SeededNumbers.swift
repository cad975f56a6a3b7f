// Random numbers that a seed determines. Used by all tests that repeat a failed run from its seed.

/// A generator that returns the same numbers for the same seed (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The numbers of one of many runs.
    ///
    /// - Parameters:
    ///   - run: The number of the run, which a failure prints.
    ///   - family: Distinguishes the runs of one test from those of others.
    package init(run: UInt64, of family: UInt64 = 1) { state = run &* Self.step &+ family }

    package mutating func next() -> UInt64 {
        state &+= Self.step
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns true in `percent` of 100 calls.
    package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A number from 0 up to but not including `end`.
    package mutating func below(_ end: Int) -> Int { end > 0 ? Int(next() % UInt64(end)) : 0 }

    /// One of the choices, of which there must be at least one.
    package mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: Int.random(in: 0..<choices.count, using: &self))]
    }
}
