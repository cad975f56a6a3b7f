// SHA-512 (FIPS 180-4), for the digest of a model's version hashes. Called by Model+VersionHashes. Not for secrets: not
// constant-time.

/// The SHA-512 digest of a sequence of bytes.
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt64] = [
            0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
            0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
        ]
        let padded = padded(message)
        var schedule = [UInt64](repeating: 0, count: 80)
        for block in stride(from: 0, to: padded.count, by: 128) {
            for index in 0..<16 {
                let start = block + index * 8
                schedule[index] = padded[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
            }
            for index in 16..<80 {
                let first = schedule[index - 15]
                let second = schedule[index - 2]
                let small0 = rotate(first, 1) ^ rotate(first, 8) ^ (first >> 7)
                let small1 = rotate(second, 19) ^ rotate(second, 61) ^ (second >> 6)
                schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
            }
            compress(&state, schedule)
        }
        return state.flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(word >> UInt64($0) & 0xff) }
        }
    }

    /// The message, the bit 1, zeros, and the length in bits as a big-endian 128-bit number.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var bytes = message
        bytes.append(0x80)
        while bytes.count % 128 != 112 { bytes.append(0) }
        // The upper half of the length.
        bytes += [UInt8](repeating: 0, count: 8)
        let length = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(length >> UInt64(shift) & 0xff)) }
        return bytes
    }

    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word >> count | word << (64 - count)
    }

    private static func compress(_ state: inout [UInt64], _ schedule: [UInt64]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<80 {
            let big1 = rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ big1 &+ choice &+ SHAConstants.rounds[index] &+ schedule[index]
            let big0 = rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
