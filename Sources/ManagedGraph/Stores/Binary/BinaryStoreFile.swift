// The content of a binary store as values: two keyed archives after a header. BinaryStore maps the archives to the
// model.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       8     "CoreData"
//   8       4     1
//   12      4     134481920, the version that XML stores have too
//   16      8     offset of the metadata archive
//   24      8     its length in bytes
//   32      8     offset of the object archive
//   40      8     its length in bytes
//   48      8     the highest number assigned to an object
//   56      8     0
//   64      …     the archives
// Integers are big-endian. The metadata dictionary has the key `metadata`. The objects have the key `mapData`: a
// dictionary from number to NSDictionaryMapNode. Each node has NSEntityName, NSPrimaryKey64, NSAttributeValues (an
// array with one element for each attribute, then one, always null, for each relationship) and, unless empty,
// NSRelatedNodes: for each nonempty relationship an array of numbers, mutable if the relationship is to-many.
import Foundation
import GraphArchives

/// The content of a binary store's file.
struct BinaryStoreFile {
    static let headerSize = 64
    private static let magic = Array("CoreData".utf8)
    private static let version: UInt64 = 134_481_920

    /// One object.
    struct Node {
        var number: Int64
        var entityName: String
        /// References into the archive.
        var values: [ListValue]
        var related: [(name: String, isToMany: Bool, numbers: [Int64])]
    }

    var metadata: [String: Any]
    /// The archive that the nodes' values refer to.
    let archive: KeyedArchive
    let objectData: Data
    var lastNumber: Int64

    init(_ data: Data) throws(DamagedStoreFile) {
        let bytes = [UInt8](data.prefix(Self.headerSize))
        guard bytes.count == Self.headerSize, bytes.starts(with: Self.magic) else {
            throw DamagedStoreFile("it is not a binary store: it does not begin with the bytes that identify one")
        }
        func number(_ offset: Int, _ size: Int = 8) -> UInt64 {
            bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard number(8, 4) == 1 else { throw DamagedStoreFile("its format is \(number(8, 4)), and 1 is known") }
        func part(_ offset: Int, _ name: String) throws(DamagedStoreFile) -> Data {
            let (start, length) = (number(offset), number(offset + 8))
            guard start >= UInt64(Self.headerSize), start <= UInt64(data.count), length <= UInt64(data.count) - start
            else {
                throw DamagedStoreFile("the \(name) reach beyond the end of the file, which is damaged or cut off")
            }
            return data.dropFirst(Int(start)).prefix(Int(length)).withUnsafeBytes { Data($0) }
        }
        let metadataPart = try part(16, "metadata")
        objectData = try part(32, "objects")
        guard let list = KeyedArchive(metadataPart), let top = list.top["metadata"],
            let values = ArchivedPlainValue.value(top, of: list) as? [String: Any]
        else { throw DamagedStoreFile("its metadata are damaged") }
        guard let archive = KeyedArchive(objectData), archive.object(archive.top["mapData"]) != nil else {
            throw DamagedStoreFile("its objects are damaged")
        }
        metadata = values
        self.archive = archive
        lastNumber = Int64(clamping: number(48))
    }

    /// The objects in ascending order of their numbers.
    func nodes() throws(DamagedStoreFile) -> [Node] {
        var result: [Node] = []
        for reference in archive.members(archive.object(archive.top["mapData"])) {
            guard let object = archive.object(reference), object.className == "NSDictionaryMapNode",
                let name = archive.text("NSEntityName", of: object),
                let number = archive.integer("NSPrimaryKey64", of: object), number > 0,
                let values = archive.object("NSAttributeValues", of: object)
            else { throw DamagedStoreFile("one of its objects is damaged") }
            var related: [(String, Bool, [Int64])] = []
            for (key, value) in archive.pairs(archive.object("NSRelatedNodes", of: object)) {
                guard let list = archive.object(value) else {
                    throw DamagedStoreFile("\(key) of \(name) \(number) is damaged")
                }
                var numbers: [Int64] = []
                for member in archive.members(list) {
                    guard case .integer(let memberNumber)? = archive.resolve(member) else {
                        throw DamagedStoreFile("\(key) of \(name) \(number) is damaged")
                    }
                    numbers.append(memberNumber)
                }
                related.append((key, list.className == "NSMutableArray", numbers))
            }
            result.append(
                Node(number: Int64(number), entityName: name, values: archive.members(values), related: related)
            )
        }
        return result.sorted { $0.number < $1.number }
    }

    /// Returns the content of a file with these parts.
    static func data(metadata: [String: Any], objects: Data, lastNumber: Int64) throws -> Data {
        var archive = KeyedArchiveWriter()
        let top: ListValue
        do {
            top = try archive.propertyList(metadata)
        } catch {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The store's metadata contain a \(error.typeName), which a property list cannot contain.",
                remedy: "Use strings, numbers, dates, data, arrays and dictionaries."
            )
        }
        let list = archive.data(top: ["metadata": top])
        var header = Data(magic)
        func append(_ number: UInt64, _ size: Int = 8) {
            for place in (0..<size).reversed() {
                header.append(UInt8(truncatingIfNeeded: number >> (UInt64(place) * 8)))
            }
        }
        append(1, 4)
        append(version, 4)
        append(UInt64(headerSize + objects.count))
        append(UInt64(list.count))
        append(UInt64(headerSize))
        append(UInt64(objects.count))
        append(UInt64(clamping: lastNumber))
        append(0)
        return header + objects + list
    }
}
