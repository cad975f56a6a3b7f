// Scenarios in one SQLite store: saves, batches, history, first creation.
import Foundation
import ManagedGraph

extension Scenario {
    private static var history: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// Steps on one store, which the first step opens.
    private static func onStore(
        _ name: String,
        mayLoseSteps: Bool = false,
        options: [AnyHashable: Any] = history,
        path: String = "Store.sqlite",
        type: NSPersistentStore.StoreType = .sqlite,
        isNew: Bool = false,
        showsHistory: Bool = false,
        _ steps: @escaping (@escaping () throws -> Desk) -> [Step]
    ) -> Scenario {
        Scenario(
            name: name,
            mayLoseSteps: mayLoseSteps,
            prepare: { folder in
                guard !isNew else { return }
                let desk = try Desk(folder.appending(path: path), type: type, options: options)
                defer { desk.close() }
                _ = try desk.save(add: type == .sqlite ? 1...12 : 1...8)
            },
            begin: { folder in
                var opened: Desk?
                func desk() throws -> Desk {
                    if let opened { return opened }
                    let newDesk = try Desk(folder.appending(path: path), type: type, options: options)
                    opened = newDesk
                    return newDesk
                }
                let open = Step("open") { try desk().read() }
                return ([open] + steps(desk), { opened?.close() })
            },
            content: { folder in
                let url = folder.appending(path: path)
                return [try Desk.content(url, type: type)] + (showsHistory ? [try historyText(at: url)] : [])
            },
            check: { folder in
                let url = folder.appending(path: path)
                return try Desk.check(url, type: type)
                    + Desk.leftovers(url.deletingLastPathComponent(), [url.lastPathComponent])
            }
        )
    }

    private static func saves(_ desk: @escaping () throws -> Desk) -> [Step] {
        [
            Step("insert") { try desk().save(add: 21...29) },
            Step("change") { try desk().save(change: [4, 5, 21]) },
            Step("delete") { try desk().save(delete: [8, 9]) },
            Step("read") { try desk().read() },
            Step("all") { try desk().save(add: 30...33, change: [4, 12], delete: [24, 25]) },
            Step("read objects", readsProperties: true) { try desk().readObjects() },
        ]
    }

    static var saving: [Scenario] {
        let frequent = ["wal_autocheckpoint": "8"]
        return [
            onStore("saves", saves),
            onStore("checkpoints", options: history.merging([NSSQLitePragmasOption: frequent]) { $1 }, saves),
            onStore(
                "normal",
                mayLoseSteps: true,
                options: [NSSQLitePragmasOption: ["synchronous": "NORMAL", "wal_autocheckpoint": "8"]],
                saves
            ),
            onStore("batches") { desk in
                [
                    Step("batch insert") {
                        try desk().step { context in
                            let rows: [[String: Any]] = (40..<60).map { id in
                                var row: [String: Any] = ["id": id, "title": "batch \(id)", "group": id % 3]
                                if id % 8 == 0 { row["photo"] = Desk.photo(id) }
                                return row
                            }
                            try context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
                        }
                    },
                    Step("batch update") {
                        try desk().step { context in
                            let request = NSBatchUpdateRequest(entityName: "Note")
                            request.predicate = NSPredicate(format: "group == 1")
                            request.propertiesToUpdate = ["title": "updated"]
                            try context.execute(request)
                        }
                    },
                    Step("batch delete") {
                        try desk().step { context in
                            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
                            request.predicate = NSPredicate(format: "group == 2")
                            try context.execute(NSBatchDeleteRequest(fetchRequest: request))
                        }
                    },
                    Step("read") { try desk().read() },
                ]
            },
            onStore("history", showsHistory: true) { desk in
                [
                    Step("insert") { try desk().save(add: 21...23) },
                    Step("change") { try desk().save(change: [21]) },
                    Step("history", { try historyText(desk()) }),
                    Step("purge") {
                        try desk().step {
                            try $0.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
                        }
                    },
                    Step("history after", { try historyText(desk()) }),
                    Step("insert again") { try desk().save(add: 24...25) },
                ]
            },
            onStore("creation", path: "New/Folder/Store.sqlite", isNew: true) { desk in
                [Step("insert") { try desk().save(add: 1...5) }, Step("read") { try desk().read() }]
            },
            onStore("binary", options: [:], path: "Store.binary", type: .binary) { desk in
                [
                    Step("insert") { try desk().save(add: 21...24) },
                    Step("delete") { try desk().save(delete: [1, 8]) },
                    Step("read objects", readsProperties: true) { try desk().readObjects() },
                ]
            },
            onStore("xml", options: [:], path: "New/Store.xml", type: .xml, isNew: true) { desk in
                [
                    Step("insert") { try desk().save(add: 21...24) }, Step("delete") { try desk().save(delete: [21]) },
                    Step("read objects", readsProperties: true) { try desk().readObjects() },
                ]
            },
        ]
    }

    private static func historyText(at url: URL) throws -> String {
        let desk = try Desk(url, options: history)
        defer { desk.close() }
        return try historyText(desk)
    }

    /// The kinds of changes in the history, in order.
    private static func historyText(_ desk: Desk) throws -> String {
        try desk.context.performAndWait { () throws in
            let result = try desk.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
            let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
            return transactions.map { ($0.changes ?? []).map { "\($0.changeType.rawValue)" }.sorted().joined() }
                .joined(separator: " ")
        }
    }
}
