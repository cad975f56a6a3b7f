// Whole-file stores whose files are larger than parsers take at once.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct LargeFileTests {
    @Test("A store whose file has more than 10 MB is opened again", arguments: [StoreKind.xml, .binary])
    func largeFiles(_ kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let text = String(repeating: "text & more ", count: 1 << 16)
        let stack = try world.open()
        try stack.run { context in
            for number in 0..<20 { context.make("Item", ["name": "\(number)", "text": "\(number) \(text)"]) }
            try context.save()
        }
        let size = try FileManager.default.attributesOfItem(atPath: world.url.path)[.size] as? Int
        #expect(size ?? 0 > 10_000_000)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: world.url)
        expectEqual(metadata[NSStoreTypeKey] as? String, kind.type)
        try world.open().run { context in
            let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
            expectEqual(items.count, 20)
            #expect(items.allSatisfy { ($0.value(forKey: "text") as? String)?.hasSuffix(text) == true })
        }
    }
}
