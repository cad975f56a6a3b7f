// The parts that SHA-256 and SHA-512 (FIPS 180-4) share: padding, and the order of the result's bytes. Not for secrets: not
// constant-time.

enum SHA2 {
    /// The message, the bit 1, zeros, and the length in bits as a big-endian number of two words.
    ///
    /// - Parameters:
    ///   - message: The bytes to hash.
    ///   - block: The bytes of a block.
    /// - Returns: Whole blocks.
    static func padded(_ message: [UInt8], block: Int) -> [UInt8] {
        let used = message.count + 1 + block / 8
        let count = (used + block - 1) / block * block
        var bytes = message
        bytes.reserveCapacity(count)
        bytes.append(0x80)
        bytes.append(contentsOf: repeatElement(0, count: count - bytes.count - 8))
        withUnsafeBytes(of: (UInt64(message.count) * 8).bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The bytes of big-endian words.
    static func bytes<Word: FixedWidthInteger>(_ words: [Word]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
}
