// Scripts of others: statements are told apart, and what they may do is kept to the tables of one file. Called where a script is
// loaded.
import CSQLite

extension Connection {
    /// Whether a text ends with a whole statement; texts and triggers may have semicolons inside.
    package static func isComplete(_ sql: String) -> Bool { sqlite3_complete(sql) != 0 }

    /// From now on other files cannot be attached, extensions not loaded, and pragmas not set that change how the file is kept.
    package func confineToTables() throws {
        let pointer = try handle.requirePointer()
        sqlite3_set_authorizer(
            pointer,
            { _, action, first, second, _, _ in
                switch action {
                case SQLITE_ATTACH, SQLITE_DETACH: return SQLITE_DENY
                case SQLITE_PRAGMA:
                    let harmless = [
                        "foreign_keys", "auto_vacuum", "page_size", "encoding", "user_version", "application_id",
                    ]
                    return first.map { harmless.contains(String(cString: $0).lowercased()) } == true
                        ? SQLITE_OK : SQLITE_DENY
                case SQLITE_FUNCTION:
                    let name = second.map { String(cString: $0).lowercased() } ?? ""
                    return ["load_extension", "readfile", "writefile", "edit"].contains(name) ? SQLITE_DENY : SQLITE_OK
                default: return SQLITE_OK
                }
            },
            nil
        )
    }
}
