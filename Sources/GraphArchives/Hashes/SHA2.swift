// The parts that SHA-256 and SHA-512 (FIPS 180-4) share: padding, the loop over blocks, and the order of the result's bytes.
// Not for secrets: not constant-time.

enum SHA2 {
    /// Adds a block of 16 words to a hash of eight: the hash, the block, memory for a word of each round, and the
    /// rounds' constants.
    ///
    /// Each size of word has its own: a generic function takes twenty times as long without optimization, as in tests.
    typealias Compression<Word> = (
        UnsafeMutablePointer<Word>, UnsafeRawPointer, UnsafeMutablePointer<Word>, UnsafePointer<Word>
    ) -> Void

    /// The digest of a message.
    ///
    /// - Parameters:
    ///   - message: The bytes to hash.
    ///   - initial: The hash before the first block, of eight words.
    ///   - rounds: A constant for each round.
    ///   - compress: Adds a block to the hash.
    /// - Returns: The bytes of the last hash.
    static func digest<Word: FixedWidthInteger>(
        _ message: [UInt8],
        initial: [Word],
        rounds: [Word],
        compress: Compression<Word>
    ) -> [UInt8] {
        let block = 16 * MemoryLayout<Word>.size
        let padded = padded(message, block: block)
        var state = initial
        state.withUnsafeMutableBufferPointer { state in
            rounds.withUnsafeBufferPointer { rounds in
                padded.withUnsafeBytes { bytes in
                    withUnsafeTemporaryAllocation(of: Word.self, capacity: rounds.count) { schedule in
                        guard let state = state.baseAddress, let rounds = rounds.baseAddress,
                            let bytes = bytes.baseAddress, let schedule = schedule.baseAddress
                        else { return }
                        for start in stride(from: 0, to: padded.count, by: block) {
                            compress(state, bytes + start, schedule, rounds)
                        }
                    }
                }
            }
        }
        return self.bytes(state)
    }

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
        bytes += [UInt8](repeating: 0, count: count - bytes.count - 8)
        withUnsafeBytes(of: (UInt64(message.count) * 8).bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The bytes of big-endian words.
    static func bytes<Word: FixedWidthInteger>(_ words: [Word]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
}
