// The algorithm that SHA-256 and SHA-512 (FIPS 180-4) share: they differ in the size of words, in the number of rounds
// and in the distances of rotations. Not for secrets: not constant-time.

/// A word of a hash function.
protocol SHA2Word: FixedWidthInteger, UnsignedInteger, Sendable {
    /// One constant for each round: the first bits of the fractional parts of the cube roots of the first primes.
    static var rounds: [Self] { get }
    /// The hash before the first block.
    static var initial: [Self] { get }

    /// The functions of the schedule, σ0 and σ1.
    var small0: Self { get }
    var small1: Self { get }
    /// The functions of a round, Σ0 and Σ1.
    var big0: Self { get }
    var big1: Self { get }
}

extension SHA2Word {
    @inline(__always)
    func rotated(_ count: Self) -> Self { self &>> count | self &<< (Self(Self.bitWidth) &- count) }
}

enum SHA2<Word: SHA2Word> {
    /// The bytes of a block.
    private static var block: Int { Word.bitWidth * 2 }

    @inline(__always)
    static func digest(_ message: [UInt8]) -> [UInt8] {
        let (width, rounds) = (Word.bitWidth / 8, Word.rounds)
        let padded = padded(message)
        var state = Word.initial
        var schedule = [Word](repeating: 0, count: rounds.count)
        for block in stride(from: 0, to: padded.count, by: block) {
            for index in 0..<16 {
                let start = block + index * width
                schedule[index] = padded[start..<start + width].reduce(0) { $0 << 8 | Word($1) }
            }
            for index in 16..<rounds.count {
                schedule[index] =
                    schedule[index - 16] &+ schedule[index - 15].small0 &+ schedule[index - 7]
                    &+ schedule[index - 2].small1
            }
            compress(&state, schedule, rounds)
        }
        return state.flatMap { word in
            stride(from: Word.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// The message, the bit 1, zeros, and the length in bits as a big-endian number of two words.
    @inline(__always)
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var bytes = message
        bytes.append(0x80)
        while bytes.count % block != block - block / 8 { bytes.append(0) }
        // All of the length but its last 64 bits.
        bytes += [UInt8](repeating: 0, count: block / 8 - 8)
        let length = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(length >> UInt64(shift) & 0xff)) }
        return bytes
    }

    @inline(__always)
    private static func compress(_ state: inout [Word], _ schedule: [Word], _ rounds: [Word]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in rounds.indices {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ e.big1 &+ choice &+ rounds[index] &+ schedule[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ a.big0 &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
