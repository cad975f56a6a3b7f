// The keys of rows as a statement takes them: consecutive keys are a range, which SQLite reads and deletes from one page
// of the file to the next, without a list to parse. Used by readers and writers.
import GraphEngine

/// Keys of one table.
enum KeyList {
    case one(Int64)
    case range(ClosedRange<Int64>)
    /// A JSON array.
    case list(String)

    init(_ keys: [Int64]) {
        if keys.count == 1 {
            self = .one(keys[0])
        } else if let first = keys.first, let last = keys.last, last &- first == Int64(keys.count - 1),
            zip(keys, keys.dropFirst()).allSatisfy({ $0 &+ 1 == $1 })
        {
            self = .range(first...last)
        } else {
            self = .list(SQLiteEngine.list(keys))
        }
    }

    /// Binds the keys from the first mark on; returns the index of the mark after them.
    func bind(to statement: Statement) throws -> Int {
        switch self {
        case .one(let key):
            try statement.bind(1, key)
        case .range(let keys):
            try statement.bind(1, keys.lowerBound)
            try statement.bind(2, keys.upperBound)
            return 3
        case .list(let keys):
            try statement.bind(1, keys)
        }
        return 2
    }
}
