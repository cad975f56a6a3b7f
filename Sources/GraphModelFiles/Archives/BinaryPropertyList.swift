// Binary property lists as values, keyed archives' references included: Foundation's reader hides what those refer to. Used
// for models inside of Xcode's files and of stores. Objects that are referred to often are read once: a small file cannot
// stand for an endless one.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       8     "bplist00"
//   …             objects: a byte of kind and length, then their bytes
//   n             table: the offset of each object
//   end-32  6     unused
//   end-26  1     bytes of an offset
//   end-25  1     bytes of a reference
//   end-24  8     number of objects
//   end-16  8     the top object
//   end-8   8     where the table begins
// Integers are big-endian.
import Foundation

/// A value in a property list.
package enum ListValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case text(String)
    /// A reference of a keyed archive.
    case reference(Int)
    case array([ListValue])
    case dictionary([String: ListValue])
}

/// Reads binary property lists.
struct BinaryPropertyList {
    /// Why data are none.
    struct Damaged: Error {}

    private let bytes: [UInt8]
    private var offsets: [Int] = []
    private var referenceSize = 1
    private var known: [Int: ListValue] = [:]
    /// Deeper nesting is a circle or an attack.
    private static let depthLimit = 128

    /// Reads a property list; throws `Damaged` where it is none.
    static func read(_ data: Data) throws(Damaged) -> ListValue {
        var list = BinaryPropertyList(data)
        let top = try list.readTrailer()
        return try list.value(top, depth: 0)
    }

    private init(_ data: Data) {
        bytes = [UInt8](data)
    }

    private mutating func readTrailer() throws(Damaged) -> Int {
        guard bytes.count > 40, bytes.starts(with: Array("bplist00".utf8)) else { throw Damaged() }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let count = try number(trailer + 8, 8)
        let table = try number(trailer + 24, 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= bytes.count, table <= trailer,
            table + count * offsetSize <= trailer
        else { throw Damaged() }
        for index in 0..<count { offsets.append(try number(table + index * offsetSize, offsetSize)) }
        return try number(trailer + 16, 8)
    }

    private func number(_ offset: Int, _ size: Int) throws(Damaged) -> Int {
        guard offset >= 0, size >= 0, offset + size <= bytes.count else { throw Damaged() }
        var result: UInt64 = 0
        for byte in bytes[offset..<offset + size] { result = result << 8 | UInt64(byte) }
        guard result <= UInt64(Int.max) else { throw Damaged() }
        return Int(result)
    }

    private mutating func value(_ index: Int, depth: Int) throws(Damaged) -> ListValue {
        if let value = known[index] { return value }
        let value = try readValue(index, depth: depth)
        known[index] = value
        return value
    }

    private mutating func readValue(_ index: Int, depth: Int) throws(Damaged) -> ListValue {
        guard offsets.indices.contains(index), depth < Self.depthLimit else { throw Damaged() }
        let offset = offsets[index]
        guard bytes.indices.contains(offset) else { throw Damaged() }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        switch kind {
        case 0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .null
        case 1: return .integer(try integer(offset + 1, 1 << low))
        case 2: return .real(try real(offset + 1, 1 << low))
        case 3: return .date(Date(timeIntervalSinceReferenceDate: try real(offset + 1, 8)))
        case 8: return .reference(try number(offset + 1, low + 1))
        default: break
        }
        let (count, start) = try length(offset, low)
        switch kind {
        case 4: return .data(Data(try slice(start, count)))
        case 5, 7: return .text(String(decoding: try slice(start, count), as: UTF8.self))
        case 6:
            let units = try slice(start, count * 2)
            let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
            return .text(String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self))
        case 10, 12: return .array(try values(start, count, depth))
        case 13:
            let keys = try values(start, count, depth)
            let found = try values(start + count * referenceSize, count, depth)
            var result: [String: ListValue] = [:]
            for (key, value) in zip(keys, found) { if case .text(let name) = key { result[name] = value } }
            return .dictionary(result)
        default: throw Damaged()
        }
    }

    /// A length that does not fit into four bits is an integer of its own.
    private func length(_ offset: Int, _ low: Int) throws(Damaged) -> (count: Int, start: Int) {
        guard low == 15 else { return (low, offset + 1) }
        guard bytes.indices.contains(offset + 1), bytes[offset + 1] >> 4 == 1 else { throw Damaged() }
        let size = 1 << Int(bytes[offset + 1] & 15)
        let count = try number(offset + 2, size)
        guard count <= bytes.count else { throw Damaged() }
        return (count, offset + 2 + size)
    }

    private func slice(_ start: Int, _ count: Int) throws(Damaged) -> ArraySlice<UInt8> {
        guard count >= 0, start + count <= bytes.count else { throw Damaged() }
        return bytes[start..<start + count]
    }

    private mutating func values(_ start: Int, _ count: Int, _ depth: Int) throws(Damaged) -> [ListValue] {
        guard start + count * referenceSize <= bytes.count else { throw Damaged() }
        var result: [ListValue] = []
        for index in 0..<count {
            result.append(try value(try number(start + index * referenceSize, referenceSize), depth: depth + 1))
        }
        return result
    }

    private func integer(_ offset: Int, _ size: Int) throws(Damaged) -> Int64 {
        // One of 16 bytes holds a number of 64 bits without a sign.
        guard size <= 16, offset + size <= bytes.count else { throw Damaged() }
        var result: UInt64 = 0
        for byte in bytes[offset..<offset + size].suffix(8) { result = result << 8 | UInt64(byte) }
        return Int64(bitPattern: result)
    }

    private func real(_ offset: Int, _ size: Int) throws(Damaged) -> Double {
        guard size == 4 || size == 8 else { throw Damaged() }
        let bits = UInt64(bitPattern: try integer(offset, size))
        return size == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }
}
