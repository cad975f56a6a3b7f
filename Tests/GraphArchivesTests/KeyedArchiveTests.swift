// Round trips of property lists and keyed archives, read back by our reader and by Foundation.
import ExpectationSupport
import Foundation
import Testing

@testable import GraphArchives

struct KeyedArchiveTests {
    private static let scalars: [ListValue] = [
        .boolean(true), .boolean(false), .integer(0), .integer(255), .integer(256), .integer(65_536),
        .integer(4_294_967_296), .integer(-1), .integer(.min), .integer(.max), .real(1.5), .real(-0.0), .text(""),
        .text("fourteen bytes"), .text("fifteen bytes.."), .text("grün 🎈"), .data(Data()), .data(Data(0..<200)),
        .date(Date(timeIntervalSinceReferenceDate: 700_000_000.25)), .reference(0), .reference(70_000),
    ]

    @Test(arguments: scalars.indices)
    func aScalarComesBack(index: Int) throws {
        let value = Self.scalars[index]
        let read = try BinaryPropertyList.read(BinaryPropertyListWriter.write(.array([value])))
        expectEqual("\(read)", "\(ListValue.array([value]))")
    }

    @Test func foundationReadsTheSame() throws {
        let list = ListValue.dictionary([
            "numbers": .array((0..<1_000).map { .integer(Int64($0) * 1_000) }), "name": .text("grün"),
            "nested": .dictionary(["flag": .boolean(true), "bytes": .data(Data([1, 2, 3]))]),
        ])
        let data = BinaryPropertyListWriter.write(list)
        let read = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        expectEqual((read["numbers"] as? [Int])?.last, 999_000)
        expectEqual(read["name"] as? String, "grün")
        expectEqual((read["nested"] as? [String: Any])?["bytes"] as? Data, Data([1, 2, 3]))
    }

    /// Canonically equivalent strings stay distinct: a name keeps its bytes.
    @Test func textsThatAreEquivalentStayApart() throws {
        let data = BinaryPropertyListWriter.write(.array([.text("e\u{301}"), .text("\u{e9}")]))
        guard case .array(let texts) = try BinaryPropertyList.read(data) else {
            Issue.record("no array")
            return
        }
        let units = texts.map { text in if case .text(let text) = text { text.unicodeScalars.count } else { 0 } }
        expectEqual(units, [2, 1])
    }

    /// The sign of the unit kelvin is equivalent to a letter of ASCII.
    @Test func keysThatAreEquivalentStayApart() throws {
        let keys = ["K", "\u{212A}", "e\u{301}", "\u{e9}", "K"]
        let data = BinaryPropertyListWriter.write(.array(keys.map { .dictionary([$0: .integer(1)]) }))
        guard case .array(let lists) = try BinaryPropertyList.read(data) else {
            Issue.record("no array")
            return
        }
        let read = lists.map { list in
            if case .dictionary(let entries) = list { entries.keys.map { Array($0.utf8) } } else { [[UInt8]]() }
        }
        expectEqual(read, keys.map { [Array($0.utf8)] })
    }

    @Test func anArchiveIsReadByFoundation() throws {
        var writer = KeyedArchiveWriter()
        let name = writer.text("name")
        let list = writer.collection([writer.text("a"), writer.plain(.integer(7))], .mutableArray)
        let root = writer.dictionary([(name, list)])
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: writer.data(top: ["root": root]))
        unarchiver.requiresSecureCoding = false
        let read = try #require(unarchiver.decodeObject(forKey: "root") as? NSDictionary)
        let members = try #require(read["name"] as? NSArray)
        expectEqual(members[0] as? String, "a")
        expectEqual((members[1] as? NSNumber)?.intValue, 7)
    }

    @Test func objectsMayReferToEachOther() throws {
        var writer = KeyedArchiveWriter()
        let first = writer.reserve()
        let second = writer.object(["Node", "NSObject"], ["next": first, "number": .integer(2)])
        writer.fill(first, classes: ["Node", "NSObject"], entries: ["next": second, "number": .integer(1)])
        let archive = try #require(KeyedArchive(writer.data(top: ["root": first])))
        let root = try #require(archive.root)
        let next = try #require(archive.object("next", of: root))
        expectEqual(archive.integer("number", of: next), 2)
        expectEqual(archive.object("next", of: next)?.number, root.number)
        expectEqual(archive.classes(of: next), ["Node", "NSObject"])
    }

    @Test func aGraftedObjectBringsItsCircles() throws {
        var source = KeyedArchiveWriter()
        let node = source.reserve()
        let list = source.collection([node, source.text("text"), KeyedArchiveWriter.null])
        source.fill(node, classes: ["Node", "NSObject"], entries: ["list": list])
        let archive = try #require(KeyedArchive(source.data(top: ["root": node])))

        var writer = KeyedArchiveWriter()
        _ = writer.text("something before")
        let copy = writer.graft(.reference(archive.root?.number ?? 0), of: archive)
        let result = try #require(KeyedArchive(writer.data(top: ["root": copy])))
        let root = try #require(result.root)
        let members = result.members(result.object("list", of: root))
        expectEqual(members.count, 3)
        expectEqual(result.object(members[0])?.number, root.number)
        expectEqual(result.text(members[1]), "text")
        expectNil(result.resolve(members[2]))
    }

    /// Thirty nested lists, each containing the next twice: a naive reader would produce a billion members.
    @Test func membersThatAreReferredToOftenAreReadOnce() throws {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for number in 0..<30 {
            offsets.append(UInt8(bytes.count))
            bytes += [0xa2, UInt8(number + 1), UInt8(number + 1)]
        }
        offsets.append(UInt8(bytes.count))
        bytes.append(0x08)
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [31, 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        guard case .array(let members) = try BinaryPropertyList.read(Data(bytes)) else {
            Issue.record("no array")
            return
        }
        expectEqual(members.count, 2)
    }
}
