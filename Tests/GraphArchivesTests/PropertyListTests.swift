// Compares our property list reader with Foundation's: equal values, and no list accepted that Foundation refuses.
import ExpectationSupport
import Foundation
import Testing

@testable import GraphArchives

struct PropertyListTests {
    private static var list: [String: Any] {
        [
            "text": "plain", "umlaut": "grün 🎈", "yes": true, "no": false, "zero": 0, "one": 1, "negative": -1,
            "large": Int64.max, "unsigned": UInt64.max, "real": 1.5, "whole": 2.0, "data": Data([1, 2, 3]),
            "none": Data(),
            "date": Date(timeIntervalSinceReferenceDate: 700_000_000.25),
            "list": ["a", 1, ["b": false] as [String: Any]],
            "empty": [Any](), "names": ["é": [String: Any](), "inner": ["plain", "plain"]] as [String: Any],
        ]
    }

    private static func data(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func valuesAreThoseOfFoundation(format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try Self.data(format)
        let read = try #require(PropertyList.read(data) as? [String: Any])
        let expected = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        for (key, value) in expected {
            let own = try #require(read[key])
            #expect(own is [String: Any] || type(of: own) == type(of: value), "\(key)")
            expectEqual(own as? NSObject, value as? NSObject, "\(key)")
        }
        #expect((read as NSDictionary).isEqual(to: expected))
    }

    /// Calls Foundation only for lists that we accept, as it traps on some others.
    @Test func damagedListsAreRefusedIfFoundationRefusesThem() throws {
        let data = try Self.data(.binary)
        var accepted = 0
        for place in data.indices {
            for change: UInt8 in [1, 0x10, 0x80, 0xFF] {
                var damaged = data
                damaged[place] ^= change
                guard let value = PropertyList.read(damaged) else { continue }
                accepted += 1
                let other = try? PropertyListSerialization.propertyList(from: damaged, format: nil)
                #expect(other != nil, "byte \(place) by \(change): \(value)")
            }
        }
        #expect(accepted > data.count / 2)
    }

    /// An array of `true` with the given numbers of objects and of unused bytes, and one given object.
    private static func shape(_ object: [UInt8] = [0x09], count: Int = 2, unused: Int = 0, behind: Int = 0) -> Data {
        var bytes = Array("bplist00".utf8) + [0xa1, 1]
        var offsets = [8]
        for index in 1..<count {
            offsets.append(bytes.count)
            bytes += index == 1 ? object : [0x09]
        }
        bytes += [UInt8](repeating: 0x09, count: unused)
        let table = bytes.count
        let size = count > 200 ? 2 : 1
        for offset in offsets { bytes += size == 2 ? [UInt8(offset >> 8), UInt8(offset & 255)] : [UInt8(offset)] }
        bytes += [UInt8](repeating: 0, count: behind) + [0, 0, 0, 0, 0, 0, UInt8(size), 1]
        for number in [count, 0, table] { bytes += [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)] }
        return Data(bytes)
    }

    @Test(arguments: [
        shape(), shape(count: 255), shape(count: 256), shape(unused: 244), shape(unused: 245), shape(behind: 1),
        shape([0x50]), shape([0x60]), shape([0x40]), shape([0xa0]), shape([0xd0]), shape([0x00]),
    ])
    func formsAreAcceptedAsByFoundation(data: Data) {
        let other = try? PropertyListSerialization.propertyList(from: data, format: nil)
        expectEqual((PropertyList.read(data) == nil), (other == nil))
    }
}
