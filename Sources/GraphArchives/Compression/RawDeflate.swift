// Deflate without a header, the form of the model in a store. Called by the readers and writers of model caches.
import Foundation

/// Raw deflate data (RFC 1951).
package enum RawDeflate {
    /// The data are not deflate data, are truncated, or decompress to more than the caller's limit.
    package struct Damaged: Error {}

    /// Decompresses raw deflate data.
    ///
    /// O(n) in the decompressed bytes.
    ///
    /// - Parameters:
    ///   - data: The compressed bytes; bytes after the last block are ignored.
    ///   - limit: The maximum number of decompressed bytes.
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
