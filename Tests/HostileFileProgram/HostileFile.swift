import Foundation

/// A hostile file, and the reader that it is made for.
struct HostileFile: Sendable {
    let name: String
    let make: @Sendable () -> Data
    /// Reads the data; returns false, or throws, if they are refused.
    let read: @Sendable (Data) throws -> Bool
    /// Bytes that the reader may take for any file.
    var slack = 8 << 20
}
