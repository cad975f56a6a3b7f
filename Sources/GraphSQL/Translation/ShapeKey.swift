// The key of a fetch's shape in the cache of translations.
import GraphEngine
import GraphPredicates

/// The common parts of the fetches of a shape, as bytes.
struct ShapeKey: Hashable {
    private var bytes: ContiguousArray<UInt8> = []

    init() { bytes.reserveCapacity(96) }

    static func += (key: inout ShapeKey, sign: StaticString) {
        key.bytes.append(contentsOf: UnsafeBufferPointer(start: sign.utf8Start, count: sign.utf8CodeUnitCount))
    }

    mutating func append(_ number: UInt) {
        guard number >= 255 else { return bytes.append(UInt8(number)) }
        bytes.append(255)
        withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ flags: Bool...) {
        var number: UInt = 0
        for flag in flags { number = number << 1 | (flag ? 1 : 0) }
        append(number)
    }

    /// A name with its length, so that no two sequences of names read alike.
    mutating func append(_ name: String) {
        append(UInt(name.utf8.count))
        bytes.append(contentsOf: name.utf8)
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
