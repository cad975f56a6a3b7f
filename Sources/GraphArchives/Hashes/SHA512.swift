// SHA-512 (FIPS 180-4), for the digest of a model's version hashes. Called by Model+VersionHashes. Not for secrets: not
// constant-time.

/// The SHA-512 digest of a sequence of bytes.
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] { SHA2<UInt64>.digest(message) }
}

extension UInt64: SHA2Word {
    static let rounds: [UInt64] = SHAConstants.rounds
    static let initial: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]

    var small0: UInt64 { rotated(1) ^ rotated(8) ^ self &>> 7 }
    var small1: UInt64 { rotated(19) ^ rotated(61) ^ self &>> 6 }
    var big0: UInt64 { rotated(28) ^ rotated(34) ^ rotated(39) }
    var big1: UInt64 { rotated(14) ^ rotated(18) ^ rotated(41) }
}
