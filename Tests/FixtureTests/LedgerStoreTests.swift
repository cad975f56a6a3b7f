// Tests the ledger, which has every type of attribute, as a SQLite, an XML and a binary store: all hold the same objects.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct LedgerStoreTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var file: String
        var type: NSPersistentStore.StoreType
        /// The key of the first object; XML and binary stores number all objects together.
        var keys: [Int]

        var testDescription: String { file }
    }

    static let kinds = [
        Kind(file: "Ledger.sqlite", type: .sqlite, keys: [1, 2, 1, 2, 3, 4]),
        Kind(file: "Ledger.xml", type: .xml, keys: [101, 102, 103, 104, 105, 106]),
        Kind(file: "Ledger.binary", type: .binary, keys: [101, 102, 103, 104, 105, 106]),
    ]

    /// The 86 bytes of the stamp: every third number.
    private static let stamp = Data(stride(from: UInt8(0), through: 255, by: 3))

    private static func objects(_ keys: [Int]) -> [String] {
        let (cash, bank, full, empty, zero, move) = (keys[0], keys[1], keys[2], keys[3], keys[4], keys[5])
        return [
            "Account \(cash): entries [Transfer \(move), Entry \(full), Entry \(empty)], name \"Cash\"",
            "Account \(bank): name \"Bank <&> \"Co\"\"",
            "Entry \(full): account Account \(cash), amount -12345.678, booked @794015999.25, cleared yes, "
                + "identifier E621E1F8-C36C-495A-93FC-0C247A3E6E5F, labels [rent, März], large -9007199254740993, "
                + "link https://example.org/a?b=c#d, medium 2147483647, rate 0.1, ratio -2.5, small -32768, "
                + "stamp <\(stamp.base64EncodedString())>, "
                + "text \"two\nlines, a back\\slash, <tags> & ümläuts, 🚢\"",
            "Entry \(empty): account Account \(cash)",
            "Entry \(zero): amount 0, booked @0.0, cleared no, large 0, medium 0, rate 0.0, ratio 0.0, small 0, "
                + "stamp <>, text \"\"",
            "Transfer \(move): account Account \(cash), code 7, large 4611686018427387904, target Account \(bank), "
                + "text \"to the bank\"",
        ]
    }

    @Test(arguments: kinds) func everyTypeOfValueIsRead(kind: Kind) throws {
        try Fixture.withCopy(of: kind.file) { url throws in
            let model = try Fixture.model("Ledger.xcdatamodel")
            let objects = try Fixture.objects(in: url, model, type: kind.type)
            expectEqual(objects, Self.objects(kind.keys))
            expectEqual(StoreChecker().check(url, with: model).problems, [])
            try expectEqual(Data(contentsOf: url), Fixture.data(kind.file))
        }
    }

    @Test(arguments: kinds) func theMetadataAreEqualInAllKinds(kind: Kind) throws {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: kind.type,
            at: Fixture.url(kind.file)
        )
        expectEqual(metadata[NSStoreTypeKey] as? String, kind.type.rawValue)
        expectEqual(metadata[NSStoreUUIDKey] as? String, "11111111-2222-4333-8444-555555555506")
        expectEqual(metadata[NSStoreModelVersionIdentifiersKey] as? [String], [""])
        expectEqual(
            (metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.mapValues { $0.base64EncodedString() },
            [
                "Account": "3qH3E0sjf4bC5OrHmilYi1DkED/s0UGXSYUoHVhUfH8=",
                "Entry": "KVjRcaPZgGO8ktQUccIKpOEPeKQBCEBjLHPc9MnWr08=",
                "Transfer": "0L+kOg9maX3VLBNw2DmueMnt0DZB4AHZerKjq5r1OPs=",
            ]
        )
        expectEqual(
            metadata["NSStoreModelVersionHashesDigest"] as? String,
            "ZPPFwMl8uwpa53j8RLOrXUyvkSUInWvyLkfCFzxJtSOx1/y1XV4bdJ8rCi5/s89CdN/9n/pN18iUa1G/0GkDlQ=="
        )
    }

    @Test(arguments: kinds) func aChangedCopyHasAllOtherValuesStill(kind: Kind) throws {
        try Fixture.withCopy(of: kind.file) { url throws in
            let model = try Fixture.model("Ledger.xcdatamodel")
            let newKey = try model.withStore(at: url, type: kind.type) { context throws in
                let empty = try context.object("Entry", kind.keys[3])
                empty.setValue(NSDecimalNumber(string: "0.30"), forKey: "amount")
                let account = try context.object("Account", kind.keys[1])
                let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                entry.setValue("new", forKey: "text")
                entry.setValue(["a", "b"] as NSArray, forKey: "labels")
                entry.setValue(account, forKey: "account")
                context.delete(try context.object("Entry", kind.keys[4]))
                try context.save()
                return ObjectText.key(of: entry)
            }
            expectEqual(newKey, (kind.type == .sqlite ? 5 : 107))
            var expected = Self.objects(kind.keys)
            expected[1] = "Account \(kind.keys[1]): entries [Entry \(newKey)], name \"Bank <&> \"Co\"\""
            expected[3] = "Entry \(kind.keys[3]): account Account \(kind.keys[0]), amount 0.3"
            expected[4] = "Entry \(newKey): account Account \(kind.keys[1]), labels [a, b], text \"new\""
            let objects = try Fixture.objects(in: url, model, type: kind.type)
            expectEqual(objects, expected)
            expectEqual(StoreChecker().check(url, with: model).problems, [])
        }
    }

    /// Saving writes the whole file again: a text that Apple's layout determines.
    @Test func savingAnXMLStoreChangesTheLineOfTheValueAlone() throws {
        try Fixture.withCopy(of: "Ledger.xml") { url throws in
            let before = try objectLines(url)
            try Fixture.model("Ledger.xcdatamodel").withStore(at: url, type: .xml) { context throws in
                try context.object("Account", 101).setValue("Purse", forKey: "name")
                try context.save()
            }
            let after = try objectLines(url)
            expectEqual(before.count, after.count)
            let changed = zip(before, after).filter { $0 != $1 }.map { String($1) }
            expectEqual(changed, ["        <attribute name=\"name\" type=\"string\">Purse</attribute>"])
        }
    }

    /// The lines after the metadata, without archived values, which have the order of their writer.
    private func objectLines(_ url: URL) throws -> [Substring] {
        try String(contentsOf: url, encoding: .utf8)
            .replacing(/<attribute name="labels"[^<]*<\/attribute>/, with: "")
            .split(separator: "\n").drop { !$0.contains("<object ") }.map { $0 }
    }
}
