// Tests values given as NSData, which are not cast: off Apple the cast copies byte by byte.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct ObjectData {
    private static let bytes = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) })

    @Test(arguments: StoreKind.allCases) func mutableDataIsCopied(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        let data = NSMutableData(data: Self.bytes)
        try stack.run { context in
            let item = context.make("Item", ["name": "i", "data": data, "large": NSData()])
            data.length = 3
            expectEqual(item.value(forKey: "data") as? Data, Self.bytes)
            try context.save()
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            let item = try #require(try other.all("Item").first)
            expectEqual(item.value(forKey: "data") as? Data, Self.bytes)
            expectEqual(item.value(forKey: "large") as? Data, Data())
        }
    }

    @Test func predicatesCompareDataOfBothKinds() {
        let object = ["a": Self.bytes as NSData, "b": NSMutableData(data: Self.bytes)]
        #expect(NSPredicate(format: "a == b").evaluate(with: object))
        #expect(NSPredicate(format: "a == %@", Self.bytes as NSData).evaluate(with: object))
        #expect(!NSPredicate(format: "a == %@", NSData()).evaluate(with: object))
    }

    @Test func aTransformableDataIsArchivedAsAnObject() throws {
        let world = try StoreWorld(.sqlite)
        let stack = try world.open()
        try stack.run { context in
            context.make("Item", ["name": "i", "list": NSMutableData(data: Self.bytes)])
            try context.save()
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            let value = try #require(try other.all("Item").first).value(forKey: "list")
            expectEqual(value as? Data, Self.bytes)
        }
    }
}
