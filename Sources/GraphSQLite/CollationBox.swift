// The closure of a collation. SQLite holds the box until the connection is closed.

/// A collation implemented by a closure.
final class CollationBox {
    let compare: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int

    init(_ compare: @escaping (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int) {
        self.compare = compare
    }
}
