// Property lists, keyed archives, compressed data and JSON.
import Foundation
import GraphArchives
import ManagedGraph

extension FuzzTarget {
    static let lists = [
        FuzzTarget(
            "property-list",
            dictionary: "archive",
            seeds: { try SeedFiles.fixtures(".plist", ".archive") + plainArchives() + plainLists() }
        ) { data in _ = PropertyList.read(data) },
        FuzzTarget("archive", dictionary: "archive", seeds: { try plainArchives() }) { data in
            _ = ArchivedPlainValue.value(of: data)
            let transformer = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
            _ = transformer?.reverseTransformedValue(data)
        },
        FuzzTarget(
            "deflate",
            seeds: {
                let texts = [
                    Data(), Data("a".utf8), Data(count: 70_000),
                    Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 * $0) }),
                ]
                return try (texts + SeedFiles.fixtures("/contents")).map(RawDeflate.deflate)
            }
        ) { data in
            let limit = 1 << 20
            guard let inflated = try? RawDeflate.inflate(data, limit: limit) else { return }
            precondition(inflated.count <= limit, "More than the limit was inflated.")
            let again = try? RawDeflate.inflate(RawDeflate.deflate(inflated), limit: limit)
            precondition(again == inflated, "Data differ after they were compressed and inflated.")
        },
        FuzzTarget(
            "json",
            dictionary: "json",
            seeds: { [Data("[1, -2.5e3, \"a\\u00e4\\n\", {\"k\": [null, true, false]}]".utf8)] }
        ) {
            data in
            guard let value = try? data.withUnsafeBytes({ try JSONReader.read($0.bindMemory(to: UInt8.self)) }) else {
                return
            }
            var bytes: [UInt8] = []
            JSONWriter.append(value, to: &bytes)
            guard let again = try? bytes.withUnsafeBufferPointer({ try JSONReader.read($0) }) else {
                fatalError("JSON that was written cannot be read.")
            }
            var second: [UInt8] = []
            JSONWriter.append(again, to: &second)
            precondition(second == bytes, "JSON differs after it was written and read.")
        },
    ]

    /// Archives of Foundation's values.
    private static func plainArchives() throws -> [Data] {
        let values: [NSObject & NSCoding] = [
            NSString(string: "text"), NSNumber(value: 1.5), NSDate(timeIntervalSinceReferenceDate: 1),
            NSArray(array: [1, "a", NSArray(array: [2.5])]), NSDictionary(dictionary: ["a": 1, "b": ["c"]]),
            // Foundation cannot archive decimal numbers.
            NSData(data: Data([1, 2, 3])), NSUUID(), NSSet(array: [1, 2]),
            NSURL(fileURLWithPath: "/a"),
        ]
        return try values.map { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
    }

    private static func plainLists() throws -> [Data] {
        let value: [String: Any] = ["a": 1, "b": [true, 2.5, "x", Date(timeIntervalSinceReferenceDate: 0), Data([1])]]
        return try [PropertyListSerialization.PropertyListFormat.xml, .binary].map {
            try PropertyListSerialization.data(fromPropertyList: value, format: $0, options: 0)
        } + [Data("{ a = 1; b = (x, \"y z\", <0102>); }".utf8)]
    }
}
