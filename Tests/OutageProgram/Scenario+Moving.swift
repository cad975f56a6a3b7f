// Scenarios with whole stores: moved, replaced, destroyed.
import Foundation
import ManagedGraph

extension Scenario {
    private static func fill(_ url: URL, _ range: ClosedRange<Int>, type: NSPersistentStore.StoreType = .sqlite) throws
    {
        if type == .sqlite { return try Desk.makeWithLog(url) { _ = try $0.save(add: range) } }
        let desk = try Desk(url, type: type)
        defer { desk.close() }
        _ = try desk.save(add: range)
    }

    private static func move(
        _ name: String,
        to path: String,
        _ type: NSPersistentStore.StoreType,
        from old: String,
        _ oldType: NSPersistentStore.StoreType
    ) -> Scenario {
        Scenario(
            name: name,
            prepare: { try fill($0.appending(path: old), 1...9, type: oldType) },
            begin: { folder in
                var desk: Desk?
                let step = Step("move", isAtomic: false) {
                    let opened = try desk ?? Desk(folder.appending(path: old), type: oldType)
                    desk = opened
                    guard let store = opened.coordinator.persistentStores.first else { throw Wrong("no store") }
                    let target = folder.appending(path: path)
                    if store.url != target {
                        _ = try opened.coordinator.migratePersistentStore(store, to: target, type: type)
                    }
                    return try opened.read()
                }
                let save = Step("save") { try desk?.save(add: 50...52) ?? "" }
                return ([step, save], { desk?.close() })
            },
            clear: { folder in
                for suffix in ["", "-wal", "-shm", "-journal"] {
                    try? FileManager.default.removeItem(atPath: folder.appending(path: path).path + suffix)
                }
            },
            content: {
                [
                    try Desk.content($0.appending(path: old), type: oldType),
                    try Desk.content($0.appending(path: path), type: type),
                ]
            },
            check: { folder in
                let (first, second) = (folder.appending(path: old), folder.appending(path: path))
                let inner = second.deletingLastPathComponent()
                return try Desk.check(first, type: oldType) + Desk.check(second, type: type)
                    + Desk.leftovers(folder, [old, path.split(separator: "/").first.map(String.init) ?? ""])
                    + (inner.path == folder.path ? [] : Desk.leftovers(inner, [second.lastPathComponent]))
            }
        )
    }

    static var moving: [Scenario] {
        let (one, two) = ("Store.sqlite", "Other.sqlite")
        let coordinator = { NSPersistentStoreCoordinator(managedObjectModel: Desk.model) }
        func wholes(_ name: String, fillsBoth: Bool = true, _ body: @escaping (URL, URL) throws -> Void) -> Scenario {
            Scenario(
                name: name,
                prepare: { folder in
                    try fill(folder.appending(path: one), 1...9)
                    if fillsBoth { try fill(folder.appending(path: two), 20...24) }
                },
                begin: { folder in
                    let step = Step(name, isAtomic: false) {
                        try body(folder.appending(path: one), folder.appending(path: two))
                        return ""
                    }
                    return ([step], {})
                },
                content: {
                    [try Desk.content($0.appending(path: one)), try Desk.content($0.appending(path: two))]
                },
                check: { folder in
                    try Desk.check(folder.appending(path: one)) + Desk.check(folder.appending(path: two))
                        + Desk.leftovers(folder, [one, two])
                }
            )
        }
        return [
            move("move", to: "New/Moved.sqlite", .sqlite, from: one, .sqlite),
            move("move to binary", to: "Moved.binary", .binary, from: one, .sqlite),
            move("move from XML", to: "Moved.sqlite", .sqlite, from: "Store.xml", .xml),
            wholes("replace") {
                try coordinator().replacePersistentStore(at: $0, withPersistentStoreFrom: $1, type: .sqlite)
            },
            wholes("copy", fillsBoth: false) {
                try coordinator().replacePersistentStore(at: $1, withPersistentStoreFrom: $0, type: .sqlite)
            },
            wholes("destroy") { first, _ in try coordinator().destroyPersistentStore(at: first, type: .sqlite) },
        ]
    }
}
