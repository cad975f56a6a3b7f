// What the options of a SQLite store say of its file. Asked when the store opens its file.
import Foundation
import GraphSQLite

extension SQLiteStore {
    /// The file as a checker reads it, or as it is read on media that cannot be written.
    func stillFile() throws -> StillFile? {
        guard isReadOnly else { return nil }
        if let given = options?[StoreOptions.stillFile] as? StillFile { return given }
        return StillFile.canWriteBeside(path) ? nil : try StillFile(path)
    }

    /// Milliseconds to wait for other users of the file.
    var busyTimeout: Int32 { Self.busyTimeout(options) }

    /// Milliseconds to wait for other users of a file, from the options of a store: 5 seconds unless they say otherwise.
    static func busyTimeout(_ options: [AnyHashable: Any]?) -> Int32 {
        let seconds = StoreOptions.number(options, NSPersistentStoreTimeoutOption) ?? 5
        return Int32(max(0, min(seconds.isNaN ? 5 : seconds, 86_400)) * 1_000)
    }
}
