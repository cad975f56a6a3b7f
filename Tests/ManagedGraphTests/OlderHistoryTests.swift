// Histories as frameworks of 2017 wrote them: transactions contain their texts, without a table of texts.
import ExpectationSupport
import Foundation
import GraphSQLite
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Histories of older frameworks")
struct OlderHistoryTests {
    /// A store whose history has one transaction in the older format.
    private func olderStore() throws -> Stack {
        let stack = try Stack()
        let plain = try #require(stack.coordinator.persistentStores.first)
        try stack.coordinator.remove(plain)
        let tracked = try add(to: stack, isReadOnly: false)
        try stack.context.saveTask("a")
        try stack.coordinator.remove(tracked)
        try stack.execute(
            """
            DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003;
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, \
            ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
            INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 545433821.5, 'ann', 'org.example', NULL, 'daemon', NULL)
            """
        )
        return stack
    }

    private func add(to stack: Stack, isReadOnly: Bool) throws -> NSPersistentStore {
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: stack.url,
            options: isReadOnly ? [NSReadOnlyPersistentStoreOption: true] : [NSPersistentHistoryTrackingKey: true]
        )
    }

    private func transactions(_ stack: Stack) throws -> [NSPersistentHistoryTransaction] {
        try stack.context.performAndWait { () throws in
            let token: NSPersistentHistoryToken? = nil
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try stack.context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
    }

    @Test("A save keeps the old tables, and fetches return old and new transactions with their authors")
    func writing() throws {
        let stack = try olderStore()
        _ = try add(to: stack, isReadOnly: false)
        try stack.context.run { () throws in
            stack.context.transactionAuthor = "bob"
            _ = stack.context.task("b")
            try stack.context.save()
        }
        let history = try transactions(stack)
        expectEqual(history.map(\.author), ["ann", "bob"])
        expectEqual(history.first?.processID, "daemon")
        expectEqual(history.first?.changes?.count, 1)
        try expectEqual(stack.rows("SELECT ZAUTHOR FROM ATRANSACTION ORDER BY Z_PK"), [[.text("ann")], [.text("bob")]])
        #expect(try stack.rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTIONSTRING'").isEmpty)
        try stack.context.performAndWait { () throws in
            _ = try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        #expect(try transactions(stack).isEmpty)
    }

    @Test("A read-only store is read without changing its tables")
    func reading() throws {
        let stack = try olderStore()
        _ = try add(to: stack, isReadOnly: true)
        try expectEqual(transactions(stack).map(\.bundleID), ["org.example"])
        #expect(try stack.rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTIONSTRING'").isEmpty)
    }
}
