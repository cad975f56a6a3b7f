// Binary and XML property lists, written byte by byte.
import Foundation

/// Hostile property lists.
enum Lists {
    /// A binary list of objects, of which the last one is the top.
    static func binary(_ objects: [[UInt8]], referenceSize: Int) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += number(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)]
        return Data(bytes + number(objects.count, 8) + number(objects.count - 1, 8) + number(table, 8))
    }

    static func number(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }

    /// An array with the references of objects.
    static func array(_ references: [Int], size: Int) -> [UInt8] {
        var bytes = arrayHead(references.count)
        bytes.reserveCapacity(bytes.count + references.count * size)
        for reference in references {
            var shift = 8 * size
            while shift > 0 {
                shift -= 8
                bytes.append(UInt8(truncatingIfNeeded: reference >> shift))
            }
        }
        return bytes
    }

    private static func arrayHead(_ count: Int) -> [UInt8] { [0xAF, 0x12] + number(count, 4) }

    /// Lists of lists, each of which has the next one several times.
    static func shared(fan: Int, depth: Int) -> Data {
        var objects: [[UInt8]] = [[0x09]]
        for level in 0..<depth { objects.append(array(Array(repeating: level, count: fan), size: 1)) }
        return binary(objects, referenceSize: 1)
    }

    /// A list with one value very often.
    static func flat(_ count: Int) -> Data {
        binary([[0x09], arrayHead(count) + Array(repeating: 0, count: count)], referenceSize: 1)
    }

    /// A list of many small objects.
    static func objects(_ count: Int) -> Data {
        binary(Array(repeating: [0x09], count: count) + [array(Array(0..<count), size: 3)], referenceSize: 3)
    }

    /// A list in XML with lists in lists.
    static func xml(depth: Int) -> Data {
        let head = "<?xml version=\"1.0\"?><plist version=\"1.0\">"
        return Data(
            (head + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
                + "</plist>").utf8
        )
    }
}
