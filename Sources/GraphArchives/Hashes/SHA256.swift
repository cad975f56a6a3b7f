// SHA-256 (FIPS 180-4). Called for version hashes, and to compare large values. Not for secrets: not constant-time.

/// The SHA-256 digest of a sequence of bytes.
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] { SHA2<UInt32>.digest(message) }
}

extension UInt32: SHA2Word {
    static let rounds: [UInt32] = SHAConstants.rounds.prefix(64).map { UInt32($0 >> 32) }
    static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    var small0: UInt32 { rotated(7) ^ rotated(18) ^ self &>> 3 }
    var small1: UInt32 { rotated(17) ^ rotated(19) ^ self &>> 10 }
    var big0: UInt32 { rotated(2) ^ rotated(13) ^ rotated(22) }
    var big1: UInt32 { rotated(6) ^ rotated(11) ^ rotated(25) }
}
