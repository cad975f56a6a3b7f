// Keyed archives, as far as the hashes of compiled models need them. Foundation off Apple hides the references (UIDs)
// in a property list, so the binary format is read here; for tests only.
//
//     OFFSET from the end   SIZE   DESCRIPTION (big-endian)
//     26                    1      bytes of an entry in the offset table
//     25                    1      bytes of an object reference
//     24                    8      number of objects
//     16                    8      number of the top object
//     8                     8      position of the offset table
import Foundation

/// The objects of a keyed archive.
struct KeyedArchive {
    /// A property list value; a reference is an index into `objects`.
    indirect enum Value {
        case other
        case boolean(Bool)
        case integer(Int)
        case string(String)
        case reference(Int)
        case array([Value])
        case dictionary([String: Value])
    }

    struct Malformed: Error {}

    private var bytes: [UInt8]
    private var offsets: [Int] = []
    private var referenceSize = 1
    private(set) var objects: [Value] = []
    /// The archive's root object.
    private(set) var root = Value.other

    init(_ data: Data) throws {
        bytes = Array(data)
        guard bytes.count > 40, bytes.starts(with: Array("bplist00".utf8)) else { throw Malformed() }
        let end = bytes.count
        let offsetSize = Int(bytes[end - 26])
        referenceSize = Int(bytes[end - 25])
        let count = try number(at: end - 24, size: 8)
        let top = try number(at: end - 16, size: 8)
        let table = try number(at: end - 8, size: 8)
        guard count <= end else { throw Malformed() }
        offsets = try (0..<count).map { try number(at: table + $0 * offsetSize, size: offsetSize) }
        guard case .dictionary(let list) = try value(top), case .array(let objects)? = list["$objects"],
            case .dictionary(let tops)? = list["$top"], let root = tops["root"]
        else { throw Malformed() }
        self.objects = objects
        self.root = root
    }

    /// The value that a reference stands for, or the value itself.
    func resolved(_ value: Value?) -> Value {
        guard case .reference(let index)? = value else { return value ?? .other }
        return objects.indices.contains(index) ? objects[index] : .other
    }

    private func number(at position: Int, size: Int) throws -> Int {
        guard position >= 0, size > 0, size <= 8, position + size <= bytes.count else { throw Malformed() }
        let value = bytes[position..<position + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(truncatingIfNeeded: value)
    }

    private func value(_ index: Int) throws -> Value {
        guard offsets.indices.contains(index), bytes.indices.contains(offsets[index]) else { throw Malformed() }
        var position = offsets[index]
        let marker = bytes[position]
        position += 1
        var count = Int(marker & 0x0f)
        if count == 15, [4, 5, 6, 10, 12, 13].contains(marker >> 4) {
            guard position < bytes.count else { throw Malformed() }
            let size = 1 << Int(bytes[position] & 0x0f)
            count = try number(at: position + 1, size: size)
            position += 1 + size
        }
        func references(_ start: Int, _ count: Int) throws -> [Value] {
            try (0..<count).map { try value(number(at: start + $0 * referenceSize, size: referenceSize)) }
        }
        switch marker >> 4 {
        case 0x0: return marker == 0x08 || marker == 0x09 ? .boolean(marker == 0x09) : .other
        case 0x1: return .integer(try number(at: position, size: min(8, 1 << count)))
        case 0x5:
            guard position + count <= bytes.count else { throw Malformed() }
            return .string(String(decoding: bytes[position..<position + count], as: UTF8.self))
        case 0x6:
            let units = try (0..<count).map { UInt16(try number(at: position + $0 * 2, size: 2)) }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8: return .reference(try number(at: position, size: count + 1))
        case 0xa, 0xc: return .array(try references(position, count))
        case 0xd:
            let keys = try references(position, count)
            let values = try references(position + count * referenceSize, count)
            var result: [String: Value] = [:]
            for case (.string(let key), let value) in zip(keys, values) { result[key] = value }
            return .dictionary(result)
        default: return .other
        }
    }
}
