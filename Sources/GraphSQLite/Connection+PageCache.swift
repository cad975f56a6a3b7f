// The size of the page cache. A new connection has SQLite's, of 2 MB: whole tables are read fastest through a cache that
// fits in the processor's. Rows that are read one by one, as faults and relationships are, then take a system call for most
// pages.
import CSQLite

extension Connection {
    /// The most that a large cache takes, in KiB.
    private static var largeCache: Int { 16_000 }
    /// The statements after which a connection is taken for one that reads row by row.
    private static var statementsWithSmallCache: Int { 64 }

    /// Gives a connection that has run many statements a large cache.
    @inline(__always)
    func enlargeCacheIfBusy() {
        if hasSmallCache, statementsRun >= Self.statementsWithSmallCache { enlargeCache() }
    }

    /// Makes the cache large; nothing is allocated before pages are read.
    func enlargeCache() {
        hasSmallCache = false
        guard let pointer = handle.pointer else { return }
        // Neither counted nor reported, as no request runs this statement. A cache that stays small is not a failure.
        sqlite3_exec(pointer, "PRAGMA cache_size = -\(Self.largeCache)", nil, nil, nil)
    }
}
