// Converts input to managed objects, and reads managed objects. Used by every case of ManagedGraph.
import ManagedGraph

extension Entry {
    @inline(__always)
    func set(_ row: InputRow) {
        text = row.text
        priority = row.priority
        date = row.date
        isDone = row.isDone
        amount = row.amount
        number = row.number
    }
}

extension Item {
    @inline(__always)
    func set(_ row: ItemRow) {
        key = row.key
        text = row.text
        amount = row.amount
    }
}

extension NSManagedObjectContext {
    /// All entries with their values.
    func allEntries() throws -> [Entry] {
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.returnsObjectsAsFaults = false
        return try fetch(request)
    }
}

extension Checksum {
    @inline(__always)
    mutating func add(_ entry: Entry) throws {
        guard let text = entry.text, let date = entry.date else {
            throw BenchmarkError("An entry came back without its text or date.")
        }
        add(
            text: text,
            priority: entry.priority,
            date: date,
            isDone: entry.isDone,
            amount: entry.amount,
            number: entry.number
        )
    }

    @inline(__always)
    mutating func add(_ item: Item) throws {
        guard let text = item.text else { throw BenchmarkError("An item came back without its text.") }
        add(text, item.key)
    }

    @inline(__always)
    mutating func add(_ person: Person) throws {
        guard let name = person.name else { throw BenchmarkError("A person came back without a name.") }
        add(name, person.number)
    }

    @inline(__always)
    mutating func add(_ entry: some EntryValues) {
        add(
            text: entry.text,
            priority: entry.priority,
            date: entry.date,
            isDone: entry.isDone,
            amount: entry.amount,
            number: entry.number
        )
    }
}
