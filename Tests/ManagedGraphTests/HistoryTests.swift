// Persistent history: writing, reading, merging, purging.
import ExpectationSupport
import Foundation
import GraphSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Persistent history")
struct HistoryTests {
    let stack: Stack
    let store: NSPersistentStore

    init() throws {
        let model = TasksModel.make()
        let task = try #require(model.entitiesByName["Task"])
        for name in ["identifier", "text"] { task.attributesByName[name]?.preservesValueInHistoryOnDeletion = true }
        stack = try Stack(model: model)
        let plain = try #require(stack.coordinator.persistentStores.first)
        try stack.coordinator.remove(plain)
        store = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: stack.url,
            options: [NSPersistentHistoryTrackingKey: true]
        )
    }

    private func fetch(
        _ request: NSPersistentHistoryChangeRequest,
        _ type: NSPersistentHistoryResultType = .transactionsAndChanges
    ) throws -> Any? {
        request.resultType = type
        return try stack.execute(request, as: NSPersistentHistoryResult.self)?.result
    }

    private func transactions(after token: NSPersistentHistoryToken? = nil) throws -> [NSPersistentHistoryTransaction] {
        try #require(fetch(.fetchHistory(after: token)) as? [NSPersistentHistoryTransaction])
    }

    @Test("The notification of a save carries the history's new token under Apple's key")
    func savedToken() throws {
        nonisolated(unsafe) var tokens: [NSPersistentHistoryToken?] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: stack.context,
            queue: nil
        ) { tokens.append($0.userInfo?["newChangeToken"] as? NSPersistentHistoryToken) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try stack.context.run { () throws in
            for text in ["a", "b"] {
                _ = stack.context.task(text)
                try stack.context.save()
                expectEqual(tokens.last, stack.coordinator.currentPersistentHistoryToken(fromStores: [store]))
            }
        }
        #expect(tokens.count == 2 && tokens[0] != tokens[1])
        try expectEqual(transactions(after: tokens[0]).count, 1)
    }

    @Test("Changes of many objects are recorded one for each, in the order of their rows")
    func manyChanges() throws {
        let context = stack.context
        let tasks = try context.run { () throws in
            let tasks = (0..<100).map { context.task("\($0)") }
            try context.save()
            // In another order, and two kinds of updates in turn, so that few follow each other.
            for number in tasks.indices.reversed() where number >= 20 { tasks[number].text = "changed" }
            for number in 60..<80 where number.isMultiple(of: 2) { tasks[number].priority = 5 }
            try context.save()
            for task in tasks[10..<60] { context.delete(task) }
            try context.save()
            return tasks.map(\.objectID)
        }
        let changes = try transactions().map { try #require($0.changes) }
        expectEqual(changes.map(\.count), [100, 80, 50])
        expectEqual(changes[0].map(\.changedObjectID), tasks)
        #expect(changes[0].allSatisfy { $0.changeType == .insert && $0.updatedProperties == nil })
        expectEqual(Set(changes[1].map(\.changedObjectID)), Set(tasks[20...]))
        for change in changes[1] {
            let number = try #require(tasks.firstIndex(of: change.changedObjectID))
            let names = try #require(change.updatedProperties).map(\.name)
            let isBoth = (60..<80).contains(number) && number.isMultiple(of: 2)
            expectEqual(Set(names), isBoth ? ["text", "priority"] : ["text"])
        }
        expectEqual(Set(changes[2].map(\.changedObjectID)), Set(tasks[10..<60]))
        for change in changes[2] {
            let number = try #require(tasks.firstIndex(of: change.changedObjectID))
            expectEqual(change.changeType, .delete)
            expectEqual(change.tombstone?["text"] as? String, number < 20 ? "\(number)" : "changed")
        }
        try expectEqual(
            stack.rows("SELECT count(*), count(DISTINCT Z_PK), max(Z_PK) FROM ACHANGE"),
            [[.integer(230), .integer(230), .integer(230)]]
        )
    }

    @Test("Each save is a transaction with its author, its context's name and the changed objects")
    func eachSave() throws {
        let context = stack.context
        context.name = "editor"
        context.transactionAuthor = "ann"
        let uuid = UUID()
        let (task, place) = try context.run { () throws in
            let task = context.task("a")
            task.setValue(uuid, forKey: "identifier")
            let place = TestLocation(context: context)
            place.name = "home"
            try context.save()
            task.text = "b"
            task.location = place
            try context.save()
            let identifiers = (task.objectID, place.objectID)
            context.delete(task)
            try context.save()
            return identifiers
        }
        let history = try transactions()
        expectEqual(history.map(\.transactionNumber), [1, 2, 3])
        #expect(
            history.allSatisfy { $0.author == "ann" && $0.contextName == "editor" && $0.storeID == store.identifier }
        )
        #expect(history.allSatisfy { abs($0.timestamp.timeIntervalSinceNow) < 60 && !$0.processID.isEmpty })
        let inserted = try #require(history[0].changes)
        expectEqual(Set(inserted.map(\.changedObjectID)), [task, place])
        #expect(inserted.allSatisfy { $0.changeType == .insert && $0.tombstone == nil && $0.updatedProperties == nil })
        #expect(inserted.allSatisfy { $0.transaction === history[0] })
        let updated = try #require(history[1].changes?.first { $0.changedObjectID == task })
        expectEqual(updated.changeType, .update)
        expectEqual(Set(updated.updatedProperties?.map(\.name) ?? []), ["text", "location"])
        let deleted = try #require(history[2].changes?.first { $0.changedObjectID == task })
        expectEqual(deleted.changeType, .delete)
        expectEqual(deleted.tombstone?["text"] as? String, "b")
        expectEqual(deleted.tombstone?["identifier"] as? UUID, uuid)
        expectEqual(deleted.tombstone?.count, 2)
    }

    @Test("Tombstones have the values of transformers and of attributes that allow files, if these can be read")
    func tombstonesOfData() throws {
        let (small, large) = (Data([1, 2]), Data(repeating: 7, count: 200_000))
        let picture = NSAttributeDescription("picture", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        let words = NSAttributeDescription("words", .transformableAttributeType)
        words.valueTransformerName = "NSSecureUnarchiveFromData"
        for attribute in [picture, words] { attribute.preservesValueInHistoryOnDeletion = true }
        let entity = NSEntityDescription("Thing", [picture, words])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel([entity]))
        let url = stack.folder.appending(path: "Things.sqlite")
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [NSPersistentHistoryTrackingKey: true]
        )
        let context = coordinator.makeContext()
        let files = stack.folder.appending(path: ".Things_SUPPORT/_EXTERNAL_DATA")
        let changes = try context.performAndWait { () throws -> [NSPersistentHistoryChange] in
            for (data, isReadable) in [(small, true), (large, true), (large, false)] {
                let thing = NSManagedObject(entity: entity, insertInto: context)
                thing.setValue(data, forKey: "picture")
                thing.setValue(["a", "b"] as NSArray, forKey: "words")
                try context.save()
                for name in try isReadable ? [] : FileManager.default.contentsOfDirectory(atPath: files.path) {
                    // A link is not followed.
                    try FileManager.default.removeItem(at: files.appending(path: name))
                    try FileManager.default.createSymbolicLink(at: files.appending(path: name), withDestinationURL: url)
                }
                context.delete(thing)
                try context.save()
            }
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            request.resultType = .changesOnly
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return try #require(result?.result as? [NSPersistentHistoryChange])
        }
        let tombstones = changes.filter { $0.changeType == .delete }.map(\.tombstone)
        expectEqual(tombstones.map { $0?["picture"] as? Data }, [small, large, nil])
        expectEqual(tombstones.map { $0?["words"] as? [String] }, [["a", "b"], ["a", "b"], ["a", "b"]])
    }

    @Test("A token continues after its transaction, also after archiving")
    func tokenLeadsOn() throws {
        let context = stack.context
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
        try context.saveTask("a")
        let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
        #expect(try transactions(after: token).isEmpty)
        try context.saveTask("b")
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let decodedToken = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        )
        expectEqual(decodedToken, token)
        try expectEqual(transactions(after: decodedToken).map(\.transactionNumber), [2])
        let all = try transactions()
        try expectEqual(transactions(after: all[0].token).map(\.transactionNumber), [2])
        try expectEqual(fetch(.fetchHistory(after: all[1].timestamp.addingTimeInterval(1)), .count) as? Int, 0)
        try expectEqual(fetch(.fetchHistory(after: Date.distantPast), .count) as? Int, 2)
    }

    @Test("Every result type, and predicates on transactions and on changes")
    func results() throws {
        let context = stack.context
        for (author, text) in [("ann", "a"), ("bob", "b"), ("ann", "c")] {
            try context.run { () throws in
                context.transactionAuthor = author
                _ = context.task(text)
                try context.save()
            }
        }
        try expectEqual(fetch(.fetchHistory(after: nil as NSPersistentHistoryToken?), .count) as? Int, 3)
        let ids = try fetch(.fetchHistory(after: nil as NSPersistentHistoryToken?), .objectIDs) as? [NSManagedObjectID]
        expectEqual(ids?.count, 3)
        let changes = try fetch(.fetchHistory(after: nil as NSPersistentHistoryToken?), .changesOnly)
        expectEqual((changes as? [NSPersistentHistoryChange])?.map(\.changeID), [1, 2, 3])
        let plain = try fetch(.fetchHistory(after: nil as NSPersistentHistoryToken?), .transactionsOnly)
        expectEqual((plain as? [NSPersistentHistoryTransaction])?.allSatisfy { $0.changes == nil }, true)
        try expectEqual(fetch(.fetchHistory(after: nil as NSPersistentHistoryToken?), .statusOnly) as? Bool, true)

        let byAuthor = try #require(NSPersistentHistoryTransaction.fetchRequest)
        byAuthor.predicate = NSPredicate(format: "author != %@", "ann")
        let others = try fetch(.fetchHistory(withFetch: byAuthor)) as? [NSPersistentHistoryTransaction]
        expectEqual(others?.map(\.author), ["bob"])
        let byNumber = try #require(NSPersistentHistoryChange.fetchRequest)
        byNumber.predicate = NSPredicate(format: "changeID > 1 AND changedEntity == 'Task'")
        let late = try fetch(.fetchHistory(withFetch: byNumber), .changesOnly) as? [NSPersistentHistoryChange]
        expectEqual(late?.map(\.changeID), [2, 3])
    }

    @Test("Purged transactions are gone, and an older token fails with 134301")
    func purging() throws {
        let context = stack.context
        var tokens: [NSPersistentHistoryToken] = []
        for text in ["a", "b", "c", "d"] {
            try context.run { () throws in
                _ = context.task(text)
                try context.save()
            }
            tokens.append(try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil)))
        }
        try expectEqual(fetch(.deleteHistory(before: tokens[2]), .statusOnly) as? Bool, true)
        try expectEqual(transactions().map(\.transactionNumber), [3, 4])
        try expectEqual(stack.rows("SELECT count(*) FROM ACHANGE"), [[.integer(2)]])
        try expectEqual(transactions(after: tokens[1]).count, 2)
        let error = #expect(throws: NSError.self) { try transactions(after: tokens[0]) }
        expectEqual(error?.code, NSPersistentHistoryTokenExpiredError)
        try expectEqual(fetch(.deleteHistory(before: Date.distantFuture), .statusOnly) as? Bool, true)
        #expect(try transactions(after: tokens[3]).isEmpty)
        try expectEqual(stack.rows("SELECT count(*) FROM ATRANSACTIONSTRING"), [[.integer(0)]])
        try context.saveTask("e")
        try expectEqual(transactions().map(\.transactionNumber), [5])
    }

    @Test("Authors and processes of later saves stay known after another coordinator has purged the history")
    func purgedElsewhere() throws {
        let context = stack.context
        context.performAndWait { context.transactionAuthor = "ann" }
        try context.saveTask("a")
        let otherCoordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        try otherCoordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
        let other = otherCoordinator.makeContext()
        for round in 1...2 {
            _ = try other.performAndWait { () throws in
                try other.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            }
            try context.saveTask("b\(round)")
            let transaction = try #require(transactions().first)
            expectEqual(transaction.author, "ann")
            #expect(!transaction.processID.isEmpty)
        }
    }

    @Test("A transaction's notification merges another coordinator's saves")
    func merging() throws {
        let otherCoordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        // A store that has a history continues it even if opened without the option.
        try otherCoordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
        let writer = otherCoordinator.makeContext()
        let context = stack.context
        try context.run { () throws in
            let (first, second) = (context.task("a"), context.task("b"))
            try context.save()
            try writer.performAndWait { () throws in
                let tasks = try writer.tasks()
                tasks[0].text = "changed"
                writer.delete(tasks[1])
                _ = writer.task("new")
                try writer.save()
            }
            for transaction in try transactions().dropFirst() {
                context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
            expectEqual(first.text, "changed")
            #expect(second.managedObjectContext == nil || second.isDeleted)
            try expectEqual(context.tasks().map(\.text), ["changed", "new"])
        }
    }

    @Test("Records batches, cascades and many-to-many pairs, but not a failed save")
    func others() throws {
        let context = stack.context
        try context.run { () throws in
            let insertion = NSBatchInsertRequest(entityName: "Task", objects: [["text": "a"], ["text": "b"]])
            context.transactionAuthor = "batch"
            try context.execute(insertion)
            let update = NSBatchUpdateRequest(entityName: "Task")
            update.propertiesToUpdate = ["priority": 2]
            try context.execute(update)
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue(NSSet(array: try context.tasks("text == 'a'")), forKey: "tagged")
            try context.save()
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<TestTask>(entityName: "Task")))
        }
        let history = try transactions()
        #expect(history.allSatisfy { $0.author == "batch" })
        expectEqual(
            history.map { $0.changes?.map(\.changeType.rawValue).sorted() ?? [] },
            [[0, 0], [1, 1], [0, 1], [2, 2]]
        )
        expectEqual(history[1].changes?.first?.updatedProperties?.map(\.name), ["priority"])
        expectEqual(history[2].changes?.first { $0.changeType == .update }?.updatedProperties?.map(\.name), ["tags"])
        expectEqual(history[3].changes?.compactMap { $0.tombstone?["text"] as? String }.sorted(), ["a", "b"])
        store.failNextCommit()
        try context.run { () throws in
            _ = context.task("never")
            #expect(throws: NSError.self) { try context.save() }
            context.rollback()
        }
        try expectEqual(transactions().count, 4)
    }

    @Test("A child's batch request is a transaction by the root context's author")
    func batchOfAChild() throws {
        let root = stack.context
        let child = NSManagedObjectContext(.privateQueue)
        let grandchild = NSManagedObjectContext(.privateQueue)
        child.parent = root
        grandchild.parent = child
        (root.transactionAuthor, root.name) = ("root", "root context")
        (child.transactionAuthor, grandchild.transactionAuthor) = ("child", "grandchild")
        for context in [root, child, grandchild] {
            try context.run { () throws in
                _ = try context.execute(NSBatchInsertRequest(entityName: "Task", objects: [["text": "a"]]))
                let update = NSBatchUpdateRequest(entityName: "Task")
                update.propertiesToUpdate = ["priority": 1]
                _ = try context.execute(update)
                let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: all))
            }
        }
        let transactions = try transactions()
        expectEqual(transactions.count, 9)
        #expect(transactions.allSatisfy { $0.author == "root" && $0.contextName == "root context" })
    }

    @Test("A batch delete of rows that are gone is not recorded")
    func rowsThatAreGone() throws {
        let identifiers = try stack.context.run { () throws in
            let tasks = ["a", "b"].map { stack.context.task($0) }
            try stack.context.save()
            return tasks.map(\.objectID)
        }
        for identifiers in [Array(identifiers.prefix(1)), identifiers] {
            let request = NSBatchDeleteRequest(objectIDs: identifiers)
            _ = try stack.execute(request, as: NSBatchDeleteResult.self)
        }
        let changes = try transactions().suffix(2).map { $0.changes?.map(\.changedObjectID) ?? [] }
        expectEqual(changes, identifiers.map { [$0] })
    }

    @Test("Without the option, there are no history and no history tables")
    func withoutTracking() throws {
        let plain = try Stack()
        try plain.fill(places: 1, tasks: 1)
        expectNil(plain.coordinator.currentPersistentHistoryToken(fromStores: nil))
        try expectEqual(plain.rows("SELECT count(*) FROM sqlite_master WHERE name LIKE 'A%'"), [[.integer(0)]])
        let result = try plain.context.performAndWait { () throws in
            try plain.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
        }
        expectEqual((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction], [])
    }

    @Test("Creates the same tables as Apple's framework")
    func schema() throws {
        let names = try stack.rows(
            "SELECT name FROM sqlite_master WHERE tbl_name LIKE 'ATRANS%' OR tbl_name = 'ACHANGE' ORDER BY 1"
        )
        expectEqual(
            names.compactMap { row -> String? in if case .text(let name) = row[0] { name } else { nil } },
            [
                "ACHANGE", "ACHANGE_ZTRANSACTIONID_INDEX", "ATRANSACTION", "ATRANSACTIONSTRING",
                "ATRANSACTION_ZAUTHORTS_INDEX", "ATRANSACTION_ZBUNDLEIDTS_INDEX",
                "ATRANSACTION_ZCONTEXTNAMETS_INDEX",
                "ATRANSACTION_ZPROCESSIDTS_INDEX", "Z_TRANSACTIONSTRING_UNIQUE_NAME",
                "Z_TRANSACTION_TransactionAuthorIndex",
                "Z_TRANSACTION_TransactionTimestampIndex",
            ].sorted()
        )
        try expectEqual(
            stack.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1"),
            [
                [.integer(16_001), .text("CHANGE")], [.integer(16_002), .text("TRANSACTION")],
                [.integer(16_003), .text("TRANSACTIONSTRING")],
            ]
        )
    }
}
