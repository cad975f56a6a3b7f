// The cache file of a results controller, as a value. Read and written by SectionCache. Independent of contexts; an
// incomplete file counts as missing.
import Foundation
import GraphArchives

/// The contents of a cache file.
///
/// Numbers are little-endian; a text is its length in bytes (4), then UTF-8.
///
/// | offset | size | content |
/// | --- | --- | --- |
/// | 0 | 8 | `MGresult` |
/// | 8 | 4 | version of the format, 1 |
/// | 12 | 8 | checksum of all following bytes (FNV-1a, 64 bits) |
/// | 20 | | text: the request (`ResultsFingerprint`) |
/// | | 4 + n | length and bytes: the state of the store (`ContentState`) |
/// | | 4 | number of sections |
/// | | | for each: name (text), 1 if it has an index title and the title (text), else 0 (1), number of objects (4) |
/// | | 4 | number of objects |
/// | | 8 each | their primary keys |
/// | | 4 each | their entities, as indexes into the model |
struct SectionCacheFile: Equatable {
    var fingerprint: String
    var state: Data
    var sections: [CachedSection]
    var keys: [Int64]
    var entities: [Int32]

    private static let magic = Data("MGresult".utf8)
    private static let version: UInt32 = 1

    /// The file's bytes.
    ///
    /// O(n).
    var data: Data {
        var body = Data()
        body.reserveCapacity(keys.count * 12 + 4_096)
        Self.append(fingerprint, to: &body)
        Self.append(UInt32(state.count), to: &body)
        body.append(state)
        Self.append(UInt32(sections.count), to: &body)
        for section in sections {
            Self.append(section.name, to: &body)
            body.append(section.indexTitle == nil ? 0 : 1)
            if let title = section.indexTitle { Self.append(title, to: &body) }
            Self.append(UInt32(section.count), to: &body)
        }
        Self.append(UInt32(keys.count), to: &body)
        for key in keys { Self.append(key, to: &body) }
        for entity in entities { Self.append(entity, to: &body) }
        var data = Self.magic
        Self.append(Self.version, to: &data)
        Self.append(FNV1a.hash(body), to: &data)
        return data + body
    }

    init(fingerprint: String, state: Data, sections: [CachedSection], keys: [Int64], entities: [Int32]) {
        self.fingerprint = fingerprint
        self.state = state
        self.sections = sections
        self.keys = keys
        self.entities = entities
    }

    /// Parses a file's bytes.
    ///
    /// - Returns: Nil if they are damaged, truncated, or in another format.
    init?(_ data: Data) {
        var reader = Reader(bytes: [UInt8](data))
        guard let magic = reader.take(8), Data(magic) == Self.magic, let version: UInt32 = reader.number(),
            version == Self.version, let checksum: UInt64 = reader.number(),
            checksum == FNV1a.hash(reader.bytes[reader.offset...]),
            let fingerprint = reader.text(), let stateCount: UInt32 = reader.number(),
            let state = reader.take(Int(stateCount)), let sectionCount: UInt32 = reader.number()
        else { return nil }
        self.fingerprint = fingerprint
        self.state = Data(state)
        sections = []
        var total = 0
        for _ in 0..<sectionCount {
            guard let name = reader.text(), let flag = reader.take(1)?.first else { return nil }
            var title: String?
            if flag == 1 {
                guard let indexTitle = reader.text() else { return nil }
                title = indexTitle
            }
            guard let count: UInt32 = reader.number() else { return nil }
            sections.append(CachedSection(name: name, count: Int(count), indexTitle: title))
            total += Int(count)
        }
        guard let count: UInt32 = reader.number(), Int(count) == total, reader.remaining == Int(count) * 12,
            Set(sections.map(\.name)).count == sections.count
        else { return nil }
        keys = []
        keys.reserveCapacity(Int(count))
        entities = []
        entities.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let key: Int64 = reader.number() else { return nil }
            keys.append(key)
        }
        for _ in 0..<count {
            guard let entity: Int32 = reader.number() else { return nil }
            entities.append(entity)
        }
    }

    private static func append(_ number: some FixedWidthInteger, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    private static func append(_ text: String, to data: inout Data) {
        append(UInt32(text.utf8.count), to: &data)
        data.append(contentsOf: text.utf8)
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        var remaining: Int { bytes.count - offset }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= remaining else { return nil }
            defer { offset += count }
            return bytes[offset..<(offset + count)]
        }

        mutating func number<Number: FixedWidthInteger>() -> Number? {
            guard let slice = take(MemoryLayout<Number>.size) else { return nil }
            return slice.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }

        mutating func text() -> String? {
            guard let count: UInt32 = number(), let slice = take(Int(count)) else { return nil }
            return String(validating: slice, as: UTF8.self)
        }
    }
}
