// The client of ManagedGraph in the sharing cases: a context.
import Foundation
import GRDB
import ManagedGraph

/// ManagedGraph: a context of its own in the shared container.
final class ManagedGraphClient: Client {
    private let context: NSManagedObjectContext
    /// All identifiers in the order of insertion, read before the first small fetch.
    private var identifiers: [NSManagedObjectID] = []

    init(_ store: ManagedStore) { context = store.context() }

    func insert(_ rows: [InputRow]) throws {
        try context.performAndWait {
            for row in rows { Entry(context: context).set(row) }
            try context.save()
        }
    }

    func fetch() throws -> Checksum { try read(Entry.fetchRequest()) }

    func fetchOne(_ position: Int) throws -> Checksum {
        if identifiers.isEmpty {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Entry")
            request.resultType = .managedObjectIDResultType
            identifiers = try context.performAndWait { try context.fetch(request) }
        }
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.predicate = NSPredicate(format: "SELF == %@", identifiers[position])
        return try read(request)
    }

    private func read(_ request: NSFetchRequest<Entry>) throws -> Checksum {
        try context.performAndWait {
            var checksum = Checksum()
            for entry in try context.fetch(request) { try checksum.add(entry) }
            return checksum
        }
    }
}
