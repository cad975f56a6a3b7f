// Compares a new store of ours with Apple's for the same model: all content of the file before any object is saved.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the collection of stores is not here"))
struct EqualStoreTests {
    @Test func aNewStoreEqualsApplesTableByTable() throws {
        var (compared, equal) = (0, 0)
        var unexplained: [String] = []
        var reasons: [String: Int] = [:]
        for path in Corpus.stores() {
            try Corpus.withCopy(of: path) { copy in
                guard let model = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: copy) else {
                    return
                }
                let own = copy.deletingLastPathComponent().appendingPathComponent("own.sqlite")
                let apples = try StoreFacts(copy.path)
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: apples.hasHistory]
                try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: own, options: options))
                let differences = try StoreFacts(own.path).differences(from: apples)
                compared += 1
                if differences.isEmpty { equal += 1 }
                for difference in differences {
                    if let reason = Self.reason(difference, apples) {
                        reasons[reason, default: 0] += 1
                    } else {
                        unexplained.append("\(path) (\(apples.framework)): \(difference)")
                    }
                }
            }
        }
        print("new stores beside Apple's: \(equal) of \(compared) equal in all; differences of the others: \(reasons)")
        #expect(unexplained.isEmpty, "\(unexplained.joined(separator: "\n"))")
        #expect(compared >= 33)
        #expect(equal >= 8)
    }

    /// The known reason for a difference to a store of Apple's, if any.
    private static func reason(_ difference: String, _ apples: StoreFacts) -> String? {
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
        guard apples.framework < 800 else { return nil }
        if difference.hasPrefix("schema index") { return "frameworks before 800 name indexes otherwise" }
        if difference.hasPrefix("schema table"), difference.hasSuffix(")"), difference.contains("UNIQUE (") {
            return "frameworks before 800 constrain uniqueness in the table"
        }
        return nil
    }
}
