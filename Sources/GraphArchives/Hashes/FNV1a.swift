// FNV-1a with 64 bits: a fast hash for names of files and to detect accidental damage. Called by the cache of sections.

/// The FNV-1a hash of a sequence of bytes.
package enum FNV1a {
    /// The hash's 64 bits.
    @inlinable
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
