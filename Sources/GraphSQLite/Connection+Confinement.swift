// Support for scripts from outside: splits them into statements and confines them to the tables of one file. Called
// when a script is loaded.
import CSQLite

extension Connection {
    /// Whether a text ends with a complete statement; string literals and triggers may contain semicolons.
    package static func isComplete(_ sql: String) -> Bool { sqlite3_complete(sql) != 0 }

    /// Rejects later attempts to attach files, load extensions, or set pragmas that change how the file is stored.
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
