// Names of tables, columns, indexes and triggers in SQL for SQLite: a model that is made in code may have names with any
// characters. Called wherever a statement for SQLite is put together.

extension String {
    /// The text as a name in SQL for SQLite.
    ///
    /// Quoted only if it has a character besides letters, digits and underscores, as Apple's stores spell the names;
    /// letters outside ASCII need no quotes.
    package var sqliteName: String {
        let isPlain = utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte >= 0x80
        }
        return isPlain ? self : quotedName
    }
}
