// Writes values as a binary property list, including the references of keyed archives. BinaryPropertyList reads the
// format and documents its layout. Used for the data of Apple's frameworks that Foundation cannot write: model caches
// and binary stores.
import Foundation

/// Writes binary property lists.
package struct BinaryPropertyListWriter {
    private var objects: [[UInt8]] = []
    /// The numbers of the members of an object, its keys first.
    private var members: [[Int]] = []
    /// Equal texts, numbers, dates and data share one object, identified by its bytes.
    private var numbers: [EncodedValue: Int] = [:]
    /// The objects of references, and of keys of dictionaries that are ASCII.
    ///
    /// Archives have several of both for each object. Other texts can be equal, even to ASCII, and have different bytes.
    private var references: [Int: Int] = [:]
    private var keys: [String: Int] = [:]

    /// Writes a property list; equal values have equal bytes.
    package static func write(_ value: ListValue) -> Data {
        var writer = BinaryPropertyListWriter()
        let top = writer.number(of: value)
        return writer.finish(top: top)
    }

    private mutating func number(of value: ListValue) -> Int {
        switch value {
        case .array(let values):
            let number = append(Self.marker(0xa0, count: values.count))
            members[number] = values.map { self.number(of: $0) }
            return number
        case .dictionary(let entries):
            let number = append(Self.marker(0xd0, count: entries.count))
            let sorted = entries.sorted { $0.key < $1.key }
            let keys = sorted.map { self.number(ofKey: $0.key) }
            members[number] = keys + sorted.map { self.number(of: $0.value) }
            return number
        case .reference(let target):
            if let number = references[target] { return number }
            let number = append(Self.bytes(of: value))
            references[target] = number
            return number
        default:
            let encoded = EncodedValue(value)
            if let number = numbers[encoded] { return number }
            let number = append(encoded.bytes)
            numbers[encoded] = number
            return number
        }
    }

    private mutating func number(ofKey key: String) -> Int {
        guard key.utf8.allSatisfy({ $0 < 128 }) else { return number(of: .text(key)) }
        if let number = keys[key] { return number }
        let number = number(of: .text(key))
        keys[key] = number
        return number
    }

    private mutating func append(_ bytes: [UInt8]) -> Int {
        objects.append(bytes)
        members.append([])
        return objects.count - 1
    }

    /// The encoded bytes of a value without members.
    static func bytes(of value: ListValue) -> [UInt8] {
        switch value {
        case .boolean(let flag): return [flag ? 0x09 : 0x08]
        case .integer(let number): return integer(number)
        case .unsigned(let number): return [0x14] + bigEndian(0, 8) + bigEndian(number, 8)
        case .real(let number): return [0x23] + bigEndian(number.bitPattern, 8)
        case .date(let date): return [0x33] + bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let data): return marker(0x40, count: data.count) + [UInt8](data)
        case .text(let text):
            if text.utf8.allSatisfy({ $0 < 128 }) { return marker(0x50, count: text.utf8.count) + [UInt8](text.utf8) }
            let units = Array(text.utf16)
            return marker(0x60, count: units.count) + units.flatMap { bigEndian(UInt64($0), 2) }
        case .reference(let number):
            let size = byteCount(UInt64(number))
            return [0x80 | UInt8(size - 1)] + bigEndian(UInt64(number), size)
        case .null, .array, .dictionary: return [0x00]
        }
    }

    private static func integer(_ number: Int64) -> [UInt8] {
        // A negative number always takes eight bytes.
        let size = number < 0 ? 8 : byteCount(UInt64(number))
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(UInt64(bitPattern: number), size)
    }

    private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 15] + integer(Int64(count))
    }

    /// 1, 2, 4 or 8.
    private static func byteCount(_ number: UInt64) -> Int {
        number <= 0xff ? 1 : number <= 0xffff ? 2 : number <= 0xffff_ffff ? 4 : 8
    }

    private static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private func finish(top: Int) -> Data {
        let referenceSize = Self.byteCount(UInt64(objects.count))
        var bytes = [UInt8]("bplist00".utf8)
        func append(_ number: Int, _ size: Int) {
            for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8))) }
        }
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for (object, members) in zip(objects, members) {
            offsets.append(bytes.count)
            bytes += object
            for member in members { append(member, referenceSize) }
        }
        let table = bytes.count
        let offsetSize = Self.byteCount(UInt64(table))
        for offset in offsets { append(offset, offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, top, table] { append(number, 8) }
        return Data(bytes)
    }
}
