// Writes values as a binary property list, including the references of keyed archives. BinaryPropertyList reads the
// format and documents its layout. Used for the data of Apple's frameworks that Foundation cannot write: model caches
// and binary stores.
import Foundation

/// Writes binary property lists.
package struct BinaryPropertyListWriter {
    /// The encoded objects one after another, without their members.
    private var bytes: [UInt8] = []
    private var objects: [Place] = []
    /// The numbers of the members of all objects, those of one together, a dictionary's keys first.
    private var members: [Int] = []
    /// Equal texts, numbers, dates and data share one object, identified by its bytes.
    private var numbers: [EncodedValue: Int] = [:]
    /// The objects of references, of integers, and of texts and keys that are ASCII.
    ///
    /// Archives have several of them for each object. Other texts can be equal, even to ASCII, and have different bytes.
    private var references: [Int: Int] = [:]
    private var integers: [Int64: Int] = [:]
    private var texts: [String: Int] = [:]

    /// The end of an object's bytes, which begin at the end of the one before, and the range of its members.
    private struct Place {
        var end: Int
        var members: Range<Int>
    }

    /// Writes a property list; equal values have equal bytes.
    package static func write(_ value: ListValue) -> Data {
        var writer = BinaryPropertyListWriter()
        let top = writer.number(of: value)
        return writer.finish(top: top)
    }

    private mutating func number(of value: ListValue) -> Int {
        switch value {
        case .array(let values):
            Self.appendMarker(0xa0, count: values.count, to: &bytes)
            let number = endObject(memberCount: values.count)
            let first = objects[number].members.lowerBound
            for (offset, value) in values.enumerated() { setMember(first + offset, self.number(of: value)) }
            return number
        case .dictionary(let entries):
            Self.appendMarker(0xd0, count: entries.count, to: &bytes)
            let number = endObject(memberCount: 2 * entries.count)
            let first = objects[number].members.lowerBound
            let sorted = entries.sorted { $0.key < $1.key }
            for (offset, entry) in sorted.enumerated() { setMember(first + offset, self.number(of: .text(entry.key))) }
            for (offset, entry) in sorted.enumerated() {
                setMember(first + sorted.count + offset, self.number(of: entry.value))
            }
            return number
        case .reference(let target):
            if let number = references[target] { return number }
            let number = append(value)
            references[target] = number
            return number
        case .integer(let integer):
            if let number = integers[integer] { return number }
            let number = append(value)
            integers[integer] = number
            return number
        case .text(let text) where Self.isASCII(text):
            if let number = texts[text] { return number }
            let number = append(value)
            texts[text] = number
            return number
        default:
            let encoded = EncodedValue(value)
            if let number = numbers[encoded] { return number }
            bytes += encoded.bytes
            let number = endObject()
            numbers[encoded] = number
            return number
        }
    }

    private mutating func append(_ value: ListValue) -> Int {
        Self.append(value, to: &bytes)
        return endObject()
    }

    /// Ends the object whose bytes were appended last, and returns its number.
    private mutating func endObject(memberCount: Int = 0) -> Int {
        let range = members.count..<members.count + memberCount
        members.append(contentsOf: repeatElement(0, count: memberCount))
        objects.append(Place(end: bytes.count, members: range))
        return objects.count - 1
    }

    private mutating func setMember(_ place: Int, _ number: Int) { members[place] = number }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 128 } }

    /// The encoded bytes of a value without members.
    static func bytes(of value: ListValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    /// Appends the encoded bytes of a value without members.
    private static func append(_ value: ListValue, to bytes: inout [UInt8]) {
        switch value {
        case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
        case .integer(let number): appendInteger(number, to: &bytes)
        case .unsigned(let number):
            bytes.append(0x14)
            appendBigEndian(0, 8, to: &bytes)
            appendBigEndian(number, 8, to: &bytes)
        case .real(let number):
            bytes.append(0x23)
            appendBigEndian(number.bitPattern, 8, to: &bytes)
        case .date(let date):
            bytes.append(0x33)
            appendBigEndian(date.timeIntervalSinceReferenceDate.bitPattern, 8, to: &bytes)
        case .data(let data):
            appendMarker(0x40, count: data.count, to: &bytes)
            bytes.append(contentsOf: data)
        case .text(let text) where isASCII(text):
            appendMarker(0x50, count: text.utf8.count, to: &bytes)
            bytes.append(contentsOf: text.utf8)
        case .text(let text):
            appendMarker(0x60, count: text.utf16.count, to: &bytes)
            for unit in text.utf16 { appendBigEndian(UInt64(unit), 2, to: &bytes) }
        case .reference(let number):
            let size = byteCount(UInt64(number))
            bytes.append(0x80 | UInt8(size - 1))
            appendBigEndian(UInt64(number), size, to: &bytes)
        case .null, .array, .dictionary: bytes.append(0x00)
        }
    }

    private static func appendInteger(_ number: Int64, to bytes: inout [UInt8]) {
        // A negative number always takes eight bytes.
        let size = number < 0 ? 8 : byteCount(UInt64(number))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        appendBigEndian(UInt64(bitPattern: number), size, to: &bytes)
    }

    private static func appendMarker(_ kind: UInt8, count: Int, to bytes: inout [UInt8]) {
        bytes.append(kind | UInt8(min(count, 15)))
        if count >= 15 { appendInteger(Int64(count), to: &bytes) }
    }

    /// 1, 2, 4 or 8.
    private static func byteCount(_ number: UInt64) -> Int {
        number <= 0xff ? 1 : number <= 0xffff ? 2 : number <= 0xffff_ffff ? 4 : 8
    }

    private static func appendBigEndian(_ number: UInt64, _ size: Int, to bytes: inout [UInt8]) {
        for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8))) }
    }

    private func finish(top: Int) -> Data {
        let referenceSize = Self.byteCount(UInt64(objects.count))
        var file = [UInt8]("bplist00".utf8)
        // The offset of an object takes eight bytes at most.
        file.reserveCapacity(bytes.count + members.count * referenceSize + objects.count * 8 + 40)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        var start = 0
        for object in objects {
            offsets.append(file.count)
            file += bytes[start..<object.end]
            for member in members[object.members] { Self.appendBigEndian(UInt64(member), referenceSize, to: &file) }
            start = object.end
        }
        let table = file.count
        let offsetSize = Self.byteCount(UInt64(table))
        for offset in offsets { Self.appendBigEndian(UInt64(offset), offsetSize, to: &file) }
        file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, top, table] { Self.appendBigEndian(UInt64(number), 8, to: &file) }
        return Data(file)
    }
}
