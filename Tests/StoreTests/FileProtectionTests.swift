// The permissions of files that a store's option keeps for their owner, from their creation on.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct FileProtectionTests {
    private static let kinds = StoreKind.allCases.filter { $0.isFile && $0 != .json }

    /// The permissions of all files and folders beside a store.
    private static func modes(_ world: StoreWorld) throws -> [String: Int] {
        let names = FileManager.default.enumerator(atPath: world.folder.path)?.allObjects as? [String] ?? []
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = world.folder.appending(path: name).path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
                return (name, mode?.intValue ?? -1)
            }
        )
    }

    private static func save(_ stack: StoreStack, _ name: String) throws {
        try stack.run { (context) throws in
            context.make("Item", ["name": name, "large": Data(repeating: 1, count: 150_000)])
            try context.save()
        }
    }

    /// Records an issue for each file that other users can read, unless it is in a folder that they cannot enter.
    private static func expectPrivate(_ world: StoreWorld) throws {
        let modes = try modes(world)
        #expect(!modes.isEmpty)
        for (name, mode) in modes where mode & 0o077 != 0 {
            let folders = name.split(separator: "/").dropLast().indices.map {
                name.split(separator: "/")[...$0].joined(separator: "/")
            }
            #expect(folders.contains { modes[$0] == 0o700 }, "\(name) has \(String(mode, radix: 8))")
        }
    }

    @Test(arguments: kinds, ["NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen"])
    func newStoresBelongToTheirOwner(_ kind: StoreKind, _ protection: String) throws {
        let world = try StoreWorld(kind)
        // The files are private while the store is open, with its log, and while a file is replaced.
        let watch = FolderWatch(world.folder)
        let stack = try world.open([NSPersistentStoreFileProtectionKey: protection])
        try Self.save(stack, "a")
        try Self.expectPrivate(world)
        try Self.save(stack, "b")
        try stack.coordinator.remove(stack.store)
        try Self.expectPrivate(world)
        expectEqual(watch.stop(), [])
    }

    @Test(arguments: kinds) func filesThatAreThereAreChanged(_ kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let usual = try world.open([NSPersistentStoreFileProtectionKey: "NSFileProtectionNone"])
        try Self.save(usual, "a")
        try usual.coordinator.remove(usual.store)
        let before = try #require(try Self.modes(world)[world.url.lastPathComponent])
        try #require(before & 0o077 != 0)
        let stack = try world.open([NSPersistentStoreFileProtectionKey: FileProtectionType.complete])
        try Self.save(stack, "b")
        try Self.expectPrivate(world)
        try expectEqual(stack.run { try $0.names("Item") }, ["a", "b"])
    }

    @Test func aMovedStoreGetsThePermissionsOfItsNewOptions() throws {
        let (world, target) = (try StoreWorld(.sqlite), try StoreWorld(.sqlite))
        let stack = try world.open()
        try Self.save(stack, "a")
        let watch = FolderWatch(target.folder)
        _ = try stack.coordinator.migratePersistentStore(
            stack.store,
            to: target.url,
            options: [NSPersistentStoreFileProtectionKey: "NSFileProtectionComplete"],
            type: .sqlite
        )
        try Self.save(stack, "b")
        try Self.expectPrivate(target)
        expectEqual(watch.stop(), [])
    }
}
