// SHA-256 (FIPS 180-4). Called for version hashes, and to compare large values. Not for secrets: not constant-time.

/// The SHA-256 digest of a sequence of bytes.
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
            0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        let padded = padded(message)
        var schedule = [UInt32](repeating: 0, count: 64)
        for block in stride(from: 0, to: padded.count, by: 64) {
            for index in 0..<16 {
                let byte = block + index * 4
                schedule[index] =
                    UInt32(padded[byte]) << 24 | UInt32(padded[byte + 1]) << 16
                    | UInt32(padded[byte + 2]) << 8 | UInt32(padded[byte + 3])
            }
            for index in 16..<64 {
                let first = schedule[index - 15]
                let second = schedule[index - 2]
                let small0 = rotate(first, 7) ^ rotate(first, 18) ^ (first >> 3)
                let small1 = rotate(second, 17) ^ rotate(second, 19) ^ (second >> 10)
                schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
            }
            compress(&state, schedule)
        }
        return state.flatMap { word in
            [UInt8(word >> 24), UInt8(word >> 16 & 0xff), UInt8(word >> 8 & 0xff), UInt8(word & 0xff)]
        }
    }

    /// The message, the bit 1, zeros, and the length in bits as a big-endian 64-bit number.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var bytes = message
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        let length = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(length >> UInt64(shift) & 0xff)) }
        return bytes
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static func compress(_ state: inout [UInt32], _ schedule: [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ big1 &+ choice &+ constants[index] &+ schedule[index]
            let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = SHAConstants.rounds.prefix(64).map { UInt32($0 >> 32) }
}
