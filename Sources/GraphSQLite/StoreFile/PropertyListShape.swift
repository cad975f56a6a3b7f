// Looks at a binary property list before Foundation reads it: off Apple a damaged one may end the process there. Called for a
// store's metadata and for archived values; what the values mean is no business of it.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       8     "bplist00"
//   …             objects: a byte of kind (high half) and length (low half; 15: an integer object follows), then their bytes
//   n             table: the offset of each object
//   end-26  1     bytes of an offset
//   end-25  1     bytes of a reference
//   end-24  8     number of objects
//   end-16  8     the top object
//   end-8   8     where the table begins
// Integers are big-endian.
import Foundation

/// The shape of a binary property list.
package struct PropertyListShape {
    private static let depthLimit = 200
    private static let sizeLimit = 10_000_000
    private let bytes: [UInt8]
    private var offsets: [Int] = []
    private var referenceSize = 1
    /// The number of values that an object stands for; 0 while it is looked at.
    private var sizes: [Int: Int] = [:]

    /// Whether data are safe to be read as a property list: another format, or a binary list whose objects are all inside of
    /// it and hold neither themselves nor endlessly many others.
    ///
    /// O(objects).
    package static func isSound(_ data: Data) -> Bool {
        guard data.starts(with: Data("bplist".utf8)) else { return true }
        var shape = PropertyListShape(bytes: [UInt8](data))
        guard let top = shape.readTrailer() else { return false }
        return shape.size(of: top, depth: 0) != nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func readTrailer() -> Int? {
        let trailer = bytes.count - 32
        guard trailer >= 9, let offsetSize = number(trailer + 6, 1), let reference = number(trailer + 7, 1),
            let count = number(trailer + 8, 8), let top = number(trailer + 16, 8), let table = number(trailer + 24, 8),
            (1...8).contains(offsetSize), (1...8).contains(reference), count > 0, count <= bytes.count, top < count,
            table >= 9, table <= trailer, count * offsetSize <= trailer - table
        else { return nil }
        referenceSize = reference
        for index in 0..<count {
            guard let offset = number(table + index * offsetSize, offsetSize), offset >= 8, offset < table else {
                return nil
            }
            offsets.append(offset)
        }
        return top
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, size >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] {
            guard value >> 56 == 0 else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }

    /// The number of values that an object stands for; nil where it is damaged.
    private mutating func size(of object: Int, depth: Int) -> Int? {
        if let known = sizes[object] { return known > 0 ? known : nil }
        guard depth < Self.depthLimit, offsets.indices.contains(object) else { return nil }
        sizes[object] = 0
        guard let size = measure(offsets[object], depth) else { return nil }
        sizes[object] = size
        return size
    }

    private mutating func measure(_ offset: Int, _ depth: Int) -> Int? {
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        switch kind {
        case 0x0: return [0, 8, 9].contains(low) ? 1 : nil
        case 0x1: return low <= 4 && fits(offset + 1, 1 << low) ? 1 : nil
        case 0x2: return (2...3).contains(low) && fits(offset + 1, 1 << low) ? 1 : nil
        case 0x3: return low == 3 && fits(offset + 1, 8) ? 1 : nil
        case 0x8: return low <= 7 && fits(offset + 1, low + 1) ? 1 : nil
        default: break
        }
        guard let (count, start) = count(low, behind: offset) else { return nil }
        switch kind {
        case 0x4: return fits(start, count) ? 1 : nil
        case 0x5: return fits(start, count) && bytes[start..<start + count].allSatisfy { $0 < 128 } ? 1 : nil
        case 0x6: return count <= bytes.count && fits(start, count * 2) ? 1 : nil
        // Sets are no part of a property list that anyone writes, and Foundation cannot bridge them.
        case 0xA: return members(start, count, depth)
        case 0xD:
            guard count <= bytes.count, fits(start, count * 2 * referenceSize) else { return nil }
            for index in 0..<count {
                guard let key = number(start + index * referenceSize, referenceSize), offsets.indices.contains(key),
                    [0x5, 0x6].contains(bytes[offsets[key]] >> 4)
                else { return nil }
            }
            return members(start, count * 2, depth)
        default: return nil
        }
    }

    /// The length of an object, and where its bytes begin.
    private func count(_ low: Int, behind offset: Int) -> (count: Int, start: Int)? {
        guard low == 15 else { return (low, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 15 <= 3 else { return nil }
        let size = 1 << Int(bytes[offset + 1] & 15)
        guard let count = number(offset + 2, size) else { return nil }
        return (count, offset + 2 + size)
    }

    private mutating func members(_ start: Int, _ count: Int, _ depth: Int) -> Int? {
        guard count <= bytes.count, fits(start, count * referenceSize) else { return nil }
        var total = 1
        for index in 0..<count {
            guard let reference = number(start + index * referenceSize, referenceSize),
                let size = size(of: reference, depth: depth + 1)
            else { return nil }
            total += size
            guard total <= Self.sizeLimit else { return nil }
        }
        return total
    }

    private func fits(_ offset: Int, _ size: Int) -> Bool {
        size >= 0 && size <= bytes.count - 32 && offset <= bytes.count - 32 - size
    }
}
