// Deflate without a header, in which a store keeps its model. Callers are the readers and writers of stores' model caches.
import Foundation

/// Raw deflate data (RFC 1951).
package enum RawDeflate {
    /// Why data cannot be decompressed: they are no deflate data, end early, or hold more than the caller allows.
    package struct Damaged: Error {}

    /// The bytes that raw deflate data hold.
    ///
    /// O(n) in the bytes that come out.
    ///
    /// - Parameters:
    ///   - data: The compressed bytes; what follows the last block is not looked at.
    ///   - limit: The most bytes that may come out.
    /// - Returns: The bytes.
    /// - Throws: `Damaged`.
    package static func inflate(_ data: Data, limit: Int) throws(Damaged) -> Data {
        var inflate = Inflate([UInt8](data), limit: limit)
        return Data(try inflate.run())
    }

    /// Compresses bytes.
    ///
    /// O(n) in the bytes.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: Raw deflate data of one block.
    package static func deflate(_ data: Data) -> Data {
        var deflate = Deflate([UInt8](data))
        return Data(deflate.run())
    }
}
