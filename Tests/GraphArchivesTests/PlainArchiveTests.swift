// Archives of plain values, compared with those that Foundation writes and reads.
import ExpectationSupport
import Foundation
import GraphArchives
import Testing

struct PlainArchiveTests {
    private static let address = "https://example.com/a%20b?c=d#e"

    /// Values that are plain, in Foundation's types.
    ///
    /// Foundation's archiver takes true and 1 for one object, so none has both.
    private static func values() throws -> [NSObject & NSCoding] {
        let url = try #require(NSURL(string: address))
        let inner: NSDictionary = ["k": 2.5, "flag": true, "list": [3, 2] as NSArray, "empty": [:] as NSDictionary]
        return [
            NSString(string: "text"), NSString(string: ""), NSString(string: "é€🙂"), NSNumber(value: 4),
            NSNumber(value: -1), NSNumber(value: Int64.max), NSNumber(value: Int64.min), NSNumber(value: 2.5),
            NSNumber(value: true), NSDate(timeIntervalSinceReferenceDate: 12_345.678), NSData(data: Data([0, 1, 255])),
            NSData(), url, NSUUID(), NSNull(), NSArray(), NSDictionary(), NSSet(), inner, NSSet(array: ["a", "b", 3]),
            NSArray(array: ["a", 5, inner, NSNull(), url, NSUUID(), NSDate(), Data([7]), NSSet(array: ["s"])]),
            NSArray(array: (0..<300).map { "text \($0)" }),
        ]
    }

    private static func unarchived(_ data: Data) throws -> Any? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    @Test("Foundation reads what is written here, and the same is read here of what Foundation writes")
    func foundation() throws {
        for value in try Self.values() {
            let ours = try #require(PlainArchive.data(of: value), "\(value)")
            try expectEqual(Self.unarchived(ours) as? NSObject, value)
            let theirs = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
            for data in [ours, theirs] {
                let archive = try #require(KeyedArchive(readableByFoundation: data))
                #expect(archive.isSound && archive.isBoundedTree)
                let read = try #require(PlainArchive.value(of: archive))
                expectEqual(read as? NSObject, value)
                let expected = try #require(try Self.unarchived(data))
                expectEqual("\(type(of: read))", "\(type(of: expected))")
                guard let members = read as? [Any], let others = expected as? [Any] else { continue }
                for (member, other) in zip(members, others) where !(other is [AnyHashable: Any]) {
                    expectEqual("\(type(of: member))", "\(type(of: other))")
                }
            }
        }
    }

    @Test("Flags stay flags, and numbers numbers")
    func flags() throws {
        let value: [Any] = [true, 1, false, 0, 1.0, Int8(1), UInt64(5), Float(0.5)]
        let data = try #require(PlainArchive.data(of: value))
        let archive = try #require(KeyedArchive(data))
        let references = archive.members(archive.root)
        let kinds = references.map { reference in
            switch archive.resolve(reference) {
            case .boolean?: "flag"
            case .integer?: "integer"
            case .real?: "real"
            default: "other"
            }
        }
        expectEqual(kinds, ["flag", "integer", "flag", "integer", "real", "integer", "integer", "real"])
    }

    @Test("An NSNumber of 8 bits keeps its value, although its type is that of truth values")
    func smallNumbers() throws {
        let value: NSArray = [NSNumber(value: Int8(5)), NSNumber(value: Int8(-128)), NSNumber(value: true)]
        let data = try #require(PlainArchive.data(of: value))
        let members = try #require(try Self.unarchived(data) as? NSArray)
        expectEqual(members.map { ($0 as? NSNumber)?.intValue }, [5, -128, 1])
        let list: [String: Any] = ["number": NSNumber(value: Int8(5)), "flag": NSNumber(value: true)]
        var writer = KeyedArchiveWriter()
        let root = try writer.propertyList(list)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: writer.data(top: ["root": root]))
        unarchiver.requiresSecureCoding = false
        let read = try #require(unarchiver.decodeObject(forKey: "root") as? NSDictionary)
        expectEqual((read["number"] as? NSNumber)?.intValue, 5)
        expectEqual((read["flag"] as? NSNumber)?.boolValue, true)
    }

    @Test("Swift's values have the archives of Foundation's")
    func swift() throws {
        let uuid = UUID()
        let url = try #require(URL(string: Self.address))
        let date = Date(timeIntervalSinceReferenceDate: 7)
        let value: [Any] = ["a", 1, 2.5, Data([1]), date, uuid, url, ["k": [1, 2]]]
        let data = try #require(PlainArchive.data(of: value))
        let dictionary: NSDictionary = ["k": [1, 2] as NSArray]
        let expected: NSArray = [
            "a", 1, 2.5, NSData(data: Data([1])), date as NSDate, uuid as NSUUID, url as NSURL, dictionary,
        ]
        try expectEqual(Self.unarchived(data) as? NSArray, expected)
    }

    @Test("Other values are left to Foundation's archiver")
    func others() throws {
        let base = try #require(URL(string: "https://example.com/"))
        let deep = (0..<40).reduce("x" as Any) { value, _ in [value] }
        let values: [Any] = [
            NSMutableArray(array: [1]), NSMutableDictionary(), NSMutableString(string: "x"), NSDecimalNumber(value: 1),
            NSOrderedSet(array: [1]), NSMutableSet(), Decimal(1), IndexSet(integer: 1), NSNumber(value: UInt64.max),
            URL(string: "a", relativeTo: base) as Any, [NSMutableArray()], ["k": Decimal(2)], deep, 1...2,
        ]
        for value in values { #expect(PlainArchive.data(of: value) == nil, "\(value)") }
        for value in [NSMutableArray(array: [1]), NSOrderedSet(array: [1]), NSNumber(value: UInt64.max)] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
            let archive = try #require(KeyedArchive(readableByFoundation: data))
            expectNil(PlainArchive.value(of: archive))
        }
    }
}
