// Reads binary property lists as values, including the references of keyed archives: Foundation's reader hides those,
// and outside Apple's platforms a damaged list may crash it. Objects with many references are read once, and the total size
// is limited: a small file cannot expand without bound. Called by KeyedArchive and PropertyList.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       8     "bplist00"
//   …             objects: a byte with kind (high half) and length (low half; 15: an integer object follows), data
//   n             table: the offset of each object
//   end-32  6     unused
//   end-26  1     bytes of an offset
//   end-25  1     bytes of a reference
//   end-24  8     number of objects
//   end-16  8     the top object
//   end-8   8     the offset of the table
// Integers are big-endian.
import Foundation

/// Reads binary property lists.
struct BinaryPropertyList {
    /// The data are not a property list, or are damaged.
    struct Damaged: Error {}

    /// An object that was read.
    private struct Entry {
        let value: ListValue
        /// The number of values in it, including itself; at most one above the limit.
        let size: Int
    }

    private let bytes: [UInt8]
    private let isStrict: Bool
    /// The offset after the last object.
    private var end: Int
    private var offsets: [Int] = []
    private var referenceSize = 1
    /// The objects read so far, by number.
    private var entries: [Entry?] = []
    /// Deeper nesting is a cycle or an attack.
    private static let depthLimit = 200
    /// The greatest number of values: those of shared objects count each time.
    private let sizeLimit: Int

    /// Reads a property list.
    ///
    /// O(objects).
    ///
    /// - Parameters:
    ///   - data: The list.
    ///   - isStrict: Whether to reject a list that Foundation's reader would reject or crash on: every object must be
    ///     complete and precede the table. Otherwise it skips invalid parts.
    ///   - sizeLimit: The number of values above which a strict reading rejects the list. Writers share no collections,
    ///     so that each value takes a byte of the file.
    /// - Returns: The top object.
    /// - Throws: `Damaged`.
    static func read(_ data: Data, isStrict: Bool = false, sizeLimit: Int = .max / 2) throws(Damaged) -> ListValue {
        var list = BinaryPropertyList([UInt8](data), isStrict: isStrict, sizeLimit: sizeLimit)
        let top = try list.readTrailer()
        return try list.entry(top, depth: 0).value
    }

    private init(_ bytes: [UInt8], isStrict: Bool, sizeLimit: Int) {
        self.bytes = bytes
        self.isStrict = isStrict
        self.sizeLimit = sizeLimit
        end = bytes.count
    }

    private mutating func readTrailer() throws(Damaged) -> Int {
        guard bytes.count > 40, bytes.starts(with: "bplist0".utf8) else { throw Damaged() }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let count = try number(trailer + 8, 8)
        let top = try number(trailer + 16, 8)
        let table = try number(trailer + 24, 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= bytes.count, table <= trailer,
            count * offsetSize <= trailer - table
        else { throw Damaged() }
        if isStrict {
            guard table + count * offsetSize == trailer, Self.fits(count, referenceSize), Self.fits(table, offsetSize)
            else { throw Damaged() }
            end = table
        }
        offsets.reserveCapacity(count)
        entries = Array(repeating: nil, count: count)
        for index in 0..<count {
            let offset = try number(table + index * offsetSize, offsetSize)
            guard !isStrict || (8..<table).contains(offset) else { throw Damaged() }
            offsets.append(offset)
        }
        return top
    }

    /// Whether a number fits in a number of bytes.
    private static func fits(_ number: Int, _ size: Int) -> Bool { size == 8 || number >> (size * 8) == 0 }

    private func number(_ offset: Int, _ size: Int) throws(Damaged) -> Int {
        guard offset >= 0, size >= 0, offset <= bytes.count - size else { throw Damaged() }
        var result: UInt64 = 0
        for byte in bytes[offset..<offset + size] {
            guard result >> 56 == 0 else { throw Damaged() }
            result = result << 8 | UInt64(byte)
        }
        guard let number = Int(exactly: result) else { throw Damaged() }
        return number
    }

    private mutating func entry(_ index: Int, depth: Int) throws(Damaged) -> Entry {
        guard entries.indices.contains(index) else { throw Damaged() }
        if let entry = entries[index] { return entry }
        let entry = try readEntry(index, depth: depth)
        entries[index] = entry
        return entry
    }

    private mutating func readEntry(_ index: Int, depth: Int) throws(Damaged) -> Entry {
        guard offsets.indices.contains(index), depth < Self.depthLimit else { throw Damaged() }
        let offset = offsets[index]
        guard bytes.indices.contains(offset) else { throw Damaged() }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        guard !isStrict || Self.isReadByFoundation(kind, low) else { throw Damaged() }
        switch kind {
        case 0xA, 0xC:
            let (count, start) = try length(offset, low)
            let (members, size) = try values(start, count, depth)
            return Entry(value: .array(members), size: size)
        case 0xD:
            let (count, start) = try length(offset, low)
            let (keys, _) = try values(start, count, depth)
            let (members, size) = try values(start + count * referenceSize, count, depth)
            var result: [String: ListValue] = [:]
            for (key, member) in zip(keys, members) {
                guard case .text(let name) = key else {
                    if isStrict { throw Damaged() }
                    continue
                }
                // For duplicate keys Foundation uses the first value.
                if !isStrict || result[name] == nil { result[name] = member }
            }
            return Entry(value: .dictionary(result), size: min(size + count, sizeLimit + 1))
        default: return Entry(value: try plainValue(kind, low, offset), size: 1)
        }
    }

    /// Whether Foundation reads an object of this kind.
    ///
    /// Excludes sets: archivers do not write them in property lists, and Foundation cannot bridge them.
    private static func isReadByFoundation(_ kind: UInt8, _ low: Int) -> Bool {
        switch kind {
        case 0x0: [0, 8, 9].contains(low)
        case 0x1: low <= 4
        case 0x2: (2...3).contains(low)
        case 0x3: low == 3
        case 0x8: low <= 7
        case 0x4, 0x5, 0x6, 0xA, 0xD: true
        default: false
        }
    }

    /// A value without members.
    private func plainValue(_ kind: UInt8, _ low: Int, _ offset: Int) throws(Damaged) -> ListValue {
        switch kind {
        case 0x0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .null
        case 0x1: return try integer(offset + 1, 1 << low)
        case 0x2: return .real(try real(offset + 1, 1 << low))
        case 0x3: return .date(Date(timeIntervalSinceReferenceDate: try real(offset + 1, 8)))
        case 0x8:
            _ = try slice(offset + 1, low + 1)
            return .reference(try number(offset + 1, low + 1))
        default: break
        }
        let (count, start) = try length(offset, low)
        switch kind {
        case 0x4: return .data(Data(try slice(start, count)))
        case 0x5, 0x7:
            let characters = try slice(start, count)
            guard !isStrict || characters.allSatisfy({ $0 < 128 }) else { throw Damaged() }
            return .text(String(decoding: characters, as: UTF8.self))
        case 0x6:
            // Foundation rejects an empty text in UTF-16.
            guard !isStrict || count > 0 else { throw Damaged() }
            let units = try slice(start, count * 2)
            let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
            return .text(String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self))
        default: throw Damaged()
        }
    }

    /// Reads a length; if it does not fit in four bits, an integer object follows.
    private func length(_ offset: Int, _ low: Int) throws(Damaged) -> (count: Int, start: Int) {
        guard low == 15 else { return (low, offset + 1) }
        guard bytes.indices.contains(offset + 1), bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 15 <= 3 else {
            throw Damaged()
        }
        let size = 1 << Int(bytes[offset + 1] & 15)
        _ = try slice(offset + 2, size)
        let count = try number(offset + 2, size)
        guard count <= bytes.count else { throw Damaged() }
        return (count, offset + 2 + size)
    }

    private func slice(_ start: Int, _ count: Int) throws(Damaged) -> ArraySlice<UInt8> {
        guard count >= 0, start <= end - count else { throw Damaged() }
        return bytes[start..<start + count]
    }

    private mutating func values(
        _ start: Int,
        _ count: Int,
        _ depth: Int
    ) throws(Damaged) -> (values: [ListValue], size: Int) {
        _ = try slice(start, count * referenceSize)
        guard !isStrict || count <= sizeLimit else { throw Damaged() }
        var result: [ListValue] = []
        result.reserveCapacity(count)
        var size = 1
        for index in 0..<count {
            let reference = try number(start + index * referenceSize, referenceSize)
            let entry = try entry(reference, depth: depth + 1)
            result.append(entry.value)
            size = min(size + entry.size, sizeLimit + 1)
        }
        guard !isStrict || size <= sizeLimit else { throw Damaged() }
        return (result, size)
    }

    private func bits(_ offset: Int, _ size: Int) throws(Damaged) -> UInt64 {
        try slice(offset, size).suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A 16-byte integer is unsigned, unless its upper half has sign bits.
    private func integer(_ offset: Int, _ size: Int) throws(Damaged) -> ListValue {
        guard size <= 16 else { throw Damaged() }
        let low = try bits(offset, size)
        guard size == 16, low > UInt64(Int64.max), try bits(offset, 8) == 0 else {
            return .integer(Int64(bitPattern: low))
        }
        return .unsigned(low)
    }

    private func real(_ offset: Int, _ size: Int) throws(Damaged) -> Double {
        guard size == 4 || size == 8 else { throw Damaged() }
        let bits = try bits(offset, size)
        return size == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }
}
