// Damage to files of any format, for tests of their readers.
import Foundation

extension SeededNumbers {
    /// A copy of a file with one to four changes: other bytes, a missing or repeated part, or a part of another file.
    ///
    /// - Parameters:
    ///   - data: The file.
    ///   - other: The file that parts are taken from.
    /// - Returns: The copy.
    package mutating func damaged(_ data: Data, with other: Data) -> Data {
        var bytes = [UInt8](data)
        for _ in 0...below(4) {
            let start = below(bytes.count)
            let end = min(bytes.count, start + below(chance(50) ? 4 : 400))
            switch below(5) {
            case 0: bytes[start..<end] = []
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 2:
                let from = below(other.count)
                bytes.insert(contentsOf: other.dropFirst(from).prefix(below(200)), at: start)
            default: for place in start..<end { bytes[place] = UInt8(below(256)) }
            }
        }
        return Data(bytes)
    }
}
