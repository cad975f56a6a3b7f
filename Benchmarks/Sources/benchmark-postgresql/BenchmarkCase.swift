// The cases of the comparison, and their checksum.

/// An operation.
enum BenchmarkCase {
    /// Fetches all entries and reads every value.
    case fetchRead
    /// Inserts rows without objects, in one transaction.
    case batchInsert
    /// Inserts objects, saved a thousand at a time.
    case importing
    /// Changes objects that have been read, and saves them.
    case update
    /// Reads single entries by key on a number of threads.
    case byKey(threads: Int)
    /// Reads departments with their employees.
    case departments

    init?(named name: String) {
        let namedCase: Self? =
            switch name {
            case "fetch-read": .fetchRead
            case "batch-insert": .batchInsert
            case "import": .importing
            case "update-save": .update
            case "departments": .departments
            default:
                name.hasPrefix("by-key-") ? Int(name.dropFirst(7)).map { .byKey(threads: $0) } : nil
            }
        guard let namedCase else { return nil }
        self = namedCase
    }
}

extension UInt64 {
    /// Adds an entry to a checksum.
    mutating func add(_ number: Int64, _ priority: Int16, _ isDone: Bool, _ amount: Double, _ date: Double, _ text: Int)
    {
        self &+=
            UInt64(bitPattern: number) &+ UInt64(priority) &+ (isDone ? 1 : 0) &+ UInt64(amount) &+ UInt64(date)
            &+ UInt64(text)
    }
}
