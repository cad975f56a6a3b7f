// Compares a new store of ours with a collected one of the same model: the whole content of the file before any save.
import CollectionSupport
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph
import Testing

struct EqualStoreTests {
    @Test func aNewStoreEqualsApplesTableByTable() throws {
        var tally = DifferenceTally()
        for path in Collections.files(.sqliteStore) {
            try path.withCopy { copy in
                guard let model = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: copy) else {
                    return
                }
                let own = copy.deletingLastPathComponent().appendingPathComponent("own.sqlite")
                let apples = try StoreFacts(copy.path)
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: apples.hasHistory]
                try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: own, options: options))
                let differences = try StoreFacts(own.path).differences(from: apples)
                tally.add(differences, of: "\(path) (\(apples.framework))") { Self.reason($0, apples, path.name) }
            }
        }
        print(
            "new stores beside collected ones: \(tally.equal) of \(tally.compared) equal; the others: \(tally.reasons)"
        )
        #expect(tally.unexplained.isEmpty, "\(tally.unexplained.joined(separator: "\n"))")
        #expect(tally.compared >= Collections.least(33, fixtures: 7))
        #expect(tally.equal >= Collections.least(8, fixtures: 6))
    }

    /// The known reason for a difference to a store of Apple's, if any.
    private static func reason(_ difference: String, _ apples: StoreFacts, _ name: String) -> String? {
        if difference.hasPrefix("metadata NSStoreModelVersionChecksumKey"), apples.framework < 1_300 {
            return "frameworks before 1300 have no such key"
        }
        if difference.hasPrefix("metadata NSStoreModelVersionHashesDigest"), apples.framework < 1_000 {
            return "frameworks before 1000 have no such key"
        }
        if difference.hasPrefix("metadata"), difference.hasSuffix("ours -, Apple's value") { return "users' metadata" }
        if difference.contains("LuxuryCar") || difference.contains("ExpensiveSportCar") {
            return "migrated in place, where the framework leaves the old name"
        }
        let older = [
            "schema table ATRANSACTION", "schema index ATRANSACTION_", "TRANSACTIONSTRING", "schema index Z_",
            "schema table ZSTRUCTUREDMETADATA", "metadata _NSStoreAncillaryModelVersionHashes",
        ]
        if name == "knowledgec-10.13.db", older.contains(where: difference.contains) {
            return "migrated in place, with the history and the indexes of earlier versions"
        }
        guard apples.framework < 800 else { return nil }
        if difference.hasPrefix("schema index") { return "frameworks before 800 name indexes otherwise" }
        if difference.hasPrefix("schema table"), difference.hasSuffix(")"), difference.contains("UNIQUE (") {
            return "frameworks before 800 constrain uniqueness in the table"
        }
        return nil
    }
}
