// Predicates, sort orders and limits of history requests, with each result type.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct HistoryRequests {
    private let stack: Stack
    private let tokens: [NSPersistentHistoryToken]
    private let first: NSManagedObjectID

    /// Three transactions: `ann` inserts two tasks and a place, `bob` inserts a task, `ann` updates the first task and
    /// deletes the second.
    init() throws {
        stack = try Stack()
        let (context, coordinator) = (stack.context, stack.coordinator)
        try coordinator.remove(try #require(coordinator.persistentStores.first))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: stack.url,
            options: [NSPersistentHistoryTrackingKey: true]
        )
        var tokens: [NSPersistentHistoryToken] = []
        func note() throws {
            tokens.append(try #require(coordinator.currentPersistentHistoryToken(fromStores: nil)))
        }
        try note()
        first = try context.run { () throws in
            (context.transactionAuthor, context.name) = ("ann", "editor")
            let (one, two) = (context.task("a"), context.task("b"))
            TestLocation(context: context).name = "home"
            try context.save()
            try note()
            context.transactionAuthor = "bob"
            _ = context.task("c")
            try context.save()
            try note()
            context.transactionAuthor = "ann"
            one.text = "z"
            context.delete(two)
            try context.save()
            try note()
            return one.objectID
        }
        self.tokens = tokens
    }

    private func result(
        _ request: NSFetchRequest<any NSFetchRequestResult>?,
        _ type: NSPersistentHistoryResultType,
        after token: NSPersistentHistoryToken? = nil
    ) throws -> Any? {
        let history = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        history.fetchRequest = request
        history.resultType = type
        return try stack.context.performAndWait { () throws in
            (try stack.context.execute(history) as? NSPersistentHistoryResult)?.result
        }
    }

    private func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
        let request = NSPersistentHistoryTransaction.fetchRequest
        request?.predicate = NSPredicate(format: format, argumentArray: arguments)
        let transactions = try result(request, .transactionsOnly) as? [NSPersistentHistoryTransaction]
        expectEqual(transactions?.allSatisfy { $0.changes == nil }, true)
        return try #require(transactions).map(\.transactionNumber)
    }

    @Test func tokensAreComparedAsTheNumbersOfTheirTransactions() throws {
        try expectEqual(numbers("token = %@", tokens[2]), [2])
        try expectEqual(numbers("token != %@", tokens[2]), [1, 3])
        try expectEqual(numbers("token > %@", tokens[1]), [2, 3])
        try expectEqual(numbers("%K >= %@", "token", tokens[2]), [2, 3])
        try expectEqual(numbers("token < %@", tokens[3]), [1, 2])
        try expectEqual(numbers("token <= %@", tokens[2]), [1, 2])
        try expectEqual(numbers("token IN %@", [tokens[1], tokens[3]]), [1, 3])
        try expectEqual(numbers("token BETWEEN %@", [tokens[1], tokens[2]]), [1, 2])
        try expectEqual(numbers("token > %@", tokens[3]), [])
        try expectEqual(numbers("token > %@", NSPersistentHistoryToken()), [1, 2, 3])
        try expectEqual(numbers("token = %@ AND author = 'ann'", tokens[2]), [])
    }

    @Test func transactionsAreFoundByEachOfTheirProperties() throws {
        let all = try #require(
            try result(NSPersistentHistoryTransaction.fetchRequest, .transactionsOnly)
                as? [NSPersistentHistoryTransaction]
        )
        try expectEqual(numbers("transactionNumber > 1"), [2, 3])
        try expectEqual(numbers("author = 'bob' AND contextName = 'editor'"), [2])
        try expectEqual(numbers("author != %@", "ann"), [2])
        try expectEqual(numbers("contextName = nil"), [])
        try expectEqual(numbers("timestamp >= %@", all[0].timestamp), [1, 2, 3])
        try expectEqual(numbers("timestamp > %@", all[2].timestamp), [])
        try expectEqual(numbers("processID = %@ AND bundleID = %@", all[0].processID, all[0].bundleID), [1, 2, 3])
        try expectEqual(numbers("storeID = %@", all[0].storeID), [1, 2, 3])
        try expectEqual(numbers("ANY changes.changeType = %d", NSPersistentHistoryChangeType.delete.rawValue), [3])
    }

    @Test func changesAreFoundByTypeEntityAndObject() throws {
        func found(_ format: String, _ arguments: Any...) throws -> [Int64] {
            let request = NSPersistentHistoryChange.fetchRequest
            request?.predicate = NSPredicate(format: format, argumentArray: arguments)
            let changes = try result(request, .changesOnly) as? [NSPersistentHistoryChange]
            return try #require(changes).map(\.changeID).sorted()
        }
        let model = stack.coordinator.managedObjectModel
        let task = try #require(model.entitiesByName["Task"])
        let place = try #require(model.entitiesByName["Location"])
        let tasks = try found("changedEntity = %@", task)
        expectEqual(tasks.count, 5)
        try expectEqual(found("changedEntity == %@ || changedEntity == %@", task, place).count, 6)
        try expectEqual(found("changedEntity == 'Location'").count, 1)
        try expectEqual(found("changeType = %d AND changedEntity = %@", 0, task).count, 3)
        try expectEqual(found("changedObjectID = %@", first).count, 2)
        try expectEqual(found("changedObjectID = %@ AND changeType = 1", first).count, 1)
        try expectEqual(found("token > %@", tokens[2]).count, 2)
        try expectEqual(found("transaction.author = 'bob'").count, 1)
        try expectEqual(found("ANY updatedProperties = 'text'").count, 1)
    }

    @Test func aRequestForChangesGivesEachTypeOfResult() throws {
        let request = NSPersistentHistoryChange.fetchRequest
        request?.predicate = NSPredicate(format: "changeType != %d", NSPersistentHistoryChangeType.insert.rawValue)
        let whole = try #require(try result(request, .transactionsAndChanges) as? [NSPersistentHistoryTransaction])
        #expect(whole.map(\.transactionNumber) == [3] && whole[0].token == tokens[3])
        expectEqual(Set(whole[0].changes?.map(\.changeType) ?? []), [.update, .delete])
        expectEqual(whole[0].changes?.allSatisfy { $0.transaction === whole[0] }, true)
        let plain = try #require(try result(request, .transactionsOnly) as? [NSPersistentHistoryTransaction])
        #expect(plain.map(\.transactionNumber) == [3] && plain[0].changes == nil)
        try expectEqual((try result(request, .changesOnly) as? [NSPersistentHistoryChange])?.count, 2)
        try expectEqual((try result(request, .objectIDs) as? [NSManagedObjectID])?.contains(first), true)
        try expectEqual(result(request, .count) as? Int, 1)
        try expectEqual(result(request, .statusOnly) as? Bool, true)
        // Transactions contain only the requested changes.
        request?.predicate = NSPredicate(format: "changedObjectID = %@", first)
        let ofOne = try #require(try result(request, .transactionsAndChanges) as? [NSPersistentHistoryTransaction])
        expectEqual(ofOne.map { $0.changes?.count }, [1, 1])
        expectEqual(ofOne.map(\.transactionNumber), [1, 3])
        try expectEqual((try result(request, .changesOnly, after: tokens[1]) as? [NSPersistentHistoryChange])?.count, 1)
    }

    @Test func aRequestForTransactionsGivesTheChangesOfThoseFound() throws {
        let request = NSPersistentHistoryTransaction.fetchRequest
        request?.predicate = NSPredicate(format: "author = 'bob'")
        try expectEqual(
            (try result(request, .changesOnly) as? [NSPersistentHistoryChange])?.map(\.changeType),
            [.insert]
        )
        try expectEqual((try result(request, .objectIDs) as? [NSManagedObjectID])?.count, 1)
        try expectEqual(result(request, .count) as? Int, 1)
        let transactions = try result(request, .transactionsAndChanges) as? [NSPersistentHistoryTransaction]
        expectEqual(transactions?.map { $0.changes?.count }, [1])
    }

    @Test func anOrderAndALimitAreKept() throws {
        let request = NSPersistentHistoryTransaction.fetchRequest
        request?.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        request?.fetchLimit = 1
        var transactions = try result(request, .transactionsOnly) as? [NSPersistentHistoryTransaction]
        expectEqual(transactions?.map(\.transactionNumber), [3])
        request?.sortDescriptors = [
            NSSortDescriptor(key: "author", ascending: false), NSSortDescriptor(key: "token", ascending: false),
        ]
        request?.fetchLimit = 2
        request?.fetchOffset = 1
        transactions = try result(request, .transactionsOnly) as? [NSPersistentHistoryTransaction]
        expectEqual(transactions?.map(\.transactionNumber), [3, 1])
        let changes = NSPersistentHistoryChange.fetchRequest
        changes?.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
        changes?.fetchLimit = 2
        let last = try result(changes, .changesOnly) as? [NSPersistentHistoryChange]
        expectEqual(last?.map(\.changeID), [6, 5])
    }

    @Test func aClosureJudgesTransactions() throws {
        let request = NSPersistentHistoryTransaction.fetchRequest
        request?.predicate = NSPredicate { object, _ in (object as? NSPersistentHistoryTransaction)?.author == "bob" }
        let transactions = try result(request, .transactionsOnly) as? [NSPersistentHistoryTransaction]
        expectEqual(transactions?.map(\.transactionNumber), [2])
    }

    @Test func aKeyThatTransactionsDoNotHaveIsAnErrorAndNotAnEmptyResult() throws {
        for (request, key) in [
            (NSPersistentHistoryTransaction.fetchRequest, "autor"), (NSPersistentHistoryChange.fetchRequest, "author"),
        ] {
            request?.predicate = NSPredicate(format: "%K = 'ann'", key)
            let error = #expect(throws: NSError.self) { try result(request, .transactionsOnly) }
            expectEqual(error?.code, NSCoreDataError)
            expectEqual(error?.localizedDescription.contains(key), true)
        }
        let foreign = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
        #expect(throws: NSError.self) { try result(foreign, .transactionsOnly) }
    }
}
