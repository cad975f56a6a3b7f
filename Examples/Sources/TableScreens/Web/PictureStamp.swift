// A fingerprint of a picture's bytes, for the address under which a browser caches it, and to detect in a form that
// another reader has replaced it. Not for security.
import Foundation

enum PictureStamp {
    /// Above this size only samples are hashed, so that a large picture is not read completely.
    private static let wholeLimit = 64 * 1024
    private static let sampleSize = 1024
    private static let sampleCount = 48

    /// Returns a few letters and digits; empty if there is no picture.
    ///
    /// Two compressed pictures of one size that differ in any pixel differ in most of the bytes that follow, and
    /// therefore in some sample.
    static func text(_ data: Data?) -> String {
        guard let data, !data.isEmpty else { return "" }
        var hash: UInt64 = 14_695_981_039_346_656_037
        data.withUnsafeBytes { bytes in
            let isWhole = bytes.count <= wholeLimit
            let size = isWhole ? bytes.count : sampleSize
            for sample in 0..<(isWhole ? 1 : sampleCount) {
                let start = isWhole ? 0 : (bytes.count - size) * sample / (sampleCount - 1)
                for byte in bytes[start..<(start + size)] { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
            }
        }
        return String(hash, radix: 36) + "-" + String(data.count, radix: 36)
    }
}
