// Reads and writes of one background context. The subject makes one for each call, the cases of sharing for each thread.
import ManagedGraph

/// ManagedGraph, one context.
final class ManagedGraphClient: Client {
    private let context: NSManagedObjectContext
    /// All identifiers in the order of insertion, read before the first small fetch.
    private var identifiers: [NSManagedObjectID] = []

    init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

    func insert(_ rows: [InputRow]) throws {
        try context.performAndWait {
            for row in rows {
                let entry = Entry(context: context)
                entry.text = row.text
                entry.priority = row.priority
                entry.date = row.date
                entry.isDone = row.isDone
                entry.amount = row.amount
                entry.number = row.number
            }
            try context.save()
        }
    }

    func fetch() throws -> Checksum { try read(Entry.fetchRequest()).checksum }

    /// The objects are registered with the context and unchanged; both are held.
    func hold() throws -> (held: Any, checksum: Checksum) {
        let (entries, checksum) = try read(Entry.fetchRequest())
        return ((context, entries), checksum)
    }

    func fetchOne(_ position: Int) throws -> Checksum {
        if identifiers.isEmpty { try readIdentifiers() }
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.predicate = NSPredicate(format: "SELF == %@", identifiers[position])
        return try read(request).checksum
    }

    private func readIdentifiers() throws {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Entry")
        request.resultType = .managedObjectIDResultType
        identifiers = try context.performAndWait { try context.fetch(request) }
    }

    private func read(_ request: NSFetchRequest<Entry>) throws -> (entries: [Entry], checksum: Checksum) {
        try context.performAndWait {
            let entries = try context.fetch(request)
            var checksum = Checksum()
            for entry in entries {
                guard let text = entry.text, let date = entry.date else {
                    throw BenchmarkError("An entry came back without its text or date.")
                }
                checksum.add(
                    text: text,
                    priority: entry.priority,
                    date: date,
                    isDone: entry.isDone,
                    amount: entry.amount,
                    number: entry.number
                )
            }
            return (entries, checksum)
        }
    }
}
