// The watches of each store file in this process. A save wakes those of other coordinators of its file, which would
// otherwise find it by polling. Used by SQLiteEngine, which adds its watch, and by SQLiteWriter after each commit.
import GraphArchives
import Synchronization

/// Finds the watches of a file.
enum WatchedFiles {
    private struct Entry {
        let file: FileIdentity
        weak var watch: ChangeWatch?
    }

    /// Few, as in DatabaseFiles.
    private static let entries = Mutex<[Entry]>([])

    /// Adds the watch of a store that was opened; it is removed once it is released.
    static func add(_ watch: ChangeWatch, of file: FileIdentity) {
        entries.withLock { entries in
            entries.removeAll { $0.watch == nil }
            entries.append(Entry(file: file, watch: watch))
        }
    }

    /// Has the watches of a file check it immediately.
    ///
    /// - Parameters:
    ///   - file: The file that was written.
    ///   - own: The writer's own watch, which is already awake.
    static func wake(_ file: FileIdentity, except own: ChangeWatch?) {
        let watches = entries.withLock { entries in
            entries.compactMap { $0.file == file && $0.watch !== own ? $0.watch : nil }
        }
        for watch in watches { watch.wake(nil) }
    }
}
