// Finds the parts of a statement that the distributed profile excludes: features that Citus, CockroachDB or YugabyteDB lack, and keys
// without the distribution column. The reasons are the names of the features in the table of Documentation/PostgreSQL.md.
import Foundation

/// The rules of the distributed profile for statements, in the order in which a server runs them.
package struct DistributedLint: Sendable {
    /// The distribution columns of the tables that were created so far: the first columns of their keys.
    private var columns: [String: String] = [:]

    package init() {}

    /// Words and pairs of words that no statement may contain, with the feature that is missing.
    private static let excluded: [(words: [String], reason: String)] = [
        (["LOCK", "TABLE"], "table locks"), (["NOTIFY"], "notifications"), (["LISTEN"], "notifications"),
        (["UNLISTEN"], "notifications"), (["COPY"], "COPY"), (["TEMP"], "temporary tables"),
        (["TEMPORARY"], "temporary tables"), (["SEQUENCE"], "ordered sequences"), (["SERIAL"], "ordered sequences"),
        (["BIGSERIAL"], "ordered sequences"), (["GENERATED"], "ordered sequences"), (["DEFERRABLE"], "deferrable keys"),
        (["DEFERRED"], "deferrable keys"), (["SET", "CONSTRAINTS"], "deferrable keys"),
        (["REFERENCES"], "foreign keys"),
        (["FOREIGN", "KEY"], "foreign keys"), (["TRIGGER"], "triggers"), (["FUNCTION"], "functions"),
        (["PROCEDURE"], "functions"), (["INHERITS"], "table inheritance"),
        (["PREPARE", "TRANSACTION"], "two-phase commit"), (["XMIN"], "row versions of the system"),
        (["XMAX"], "row versions of the system"), (["CTID"], "places of rows"), (["SHARE"], "row locks"),
        (["LATERAL"], "LATERAL"), (["RULE"], "rules"), (["MATERIALIZED"], "materialized queries"),
        (["READ", "UNCOMMITTED"], "isolation levels"),
    ]

    /// Beginnings of functions that are missing, with the feature.
    private static let excludedFunctions: [(prefix: String, reason: String)] = [
        ("NEXTVAL", "ordered sequences"), ("SETVAL", "ordered sequences"), ("CURRVAL", "ordered sequences"),
        ("LASTVAL", "ordered sequences"), ("PG_ADVISORY", "advisory locks"), ("PG_TRY_ADVISORY", "advisory locks"),
        ("PG_CURRENT_XACT", "transaction numbers"), ("PG_CURRENT_SNAPSHOT", "transaction numbers"),
        ("PG_SNAPSHOT", "transaction numbers"), ("PG_XACT_STATUS", "transaction numbers"),
        ("TXID_", "transaction numbers"), ("PG_LOCKS", "the server's locks"), ("PG_NOTIFY", "notifications"),
        ("PG_TERMINATE_BACKEND", "ending other sessions"), ("PG_LAST_WAL", "standbys"),
        ("PG_CURRENT_WAL", "standbys"), ("MG_", "functions"),
    ]

    /// The problems of a statement; none if it keeps to the profile.
    package mutating func problems(_ statement: String) -> [String] {
        let words = Self.words(statement)
        let plain = words.map { $0.isQuoted ? "" : $0.text.uppercased() }
        let present = Set(plain)
        var problems: [String] = []
        for (wanted, reason) in Self.excluded where present.contains(wanted[0]) && Self.contains(plain, wanted) {
            problems.append("\(wanted.joined(separator: " ")): \(reason)")
        }
        for word in words {
            // A function of the store is quoted, with its schema before it.
            let name = word.text.uppercased()
            guard let match = Self.excludedFunctions.first(where: { name.hasPrefix($0.prefix) }),
                !word.isQuoted || match.prefix == "MG_"
            else { continue }
            problems.append("\(word.text): \(match.reason)")
        }
        if Self.contains(plain, ["FOR", "UPDATE"]), !words.contains(where: { $0.text == "_store" }) {
            problems.append("FOR UPDATE: row locks on several servers")
        }
        if plain.first == "SET", plain.dropFirst().first != "LOCAL" { problems.append("SET: settings of the session") }
        if plain.first == "BEGIN" {
            let isKnown = [
                ["BEGIN", "ISOLATION", "LEVEL", "SERIALIZABLE"],
                ["BEGIN", "ISOLATION", "LEVEL", "REPEATABLE", "READ", ",", "READ", "ONLY"],
                ["BEGIN", "ISOLATION", "LEVEL", "READ", "COMMITTED"],
            ].contains(plain)
            if !isKnown { problems.append("\(statement): isolation levels") }
        }
        if plain.first == "DO" { problems.append("DO: functions") }
        problems += changesInOneStatement(plain) + keys(words, plain)
        return problems
    }

    /// A statement that changes several tables.
    private func changesInOneStatement(_ plain: [String]) -> [String] {
        guard plain.first == "WITH" else { return [] }
        let changes =
            plain.filter { ["INSERT", "DELETE"].contains($0) }.count + (Self.contains(plain, ["UPDATE"]) ? 1 : 0)
        return changes > 1 ? ["WITH: several changes in a statement"] : []
    }

    /// Tables must have keys, and uniqueness constraints must contain the distribution column of their table.
    private mutating func keys(_ words: [Word], _ plain: [String]) -> [String] {
        func list(after place: Int) -> [String] {
            guard let open = plain[place...].firstIndex(of: "("), let close = plain[open...].firstIndex(of: ")") else {
                return []
            }
            return words[open...close].map(\.text)
        }
        if Self.contains(plain, ["CREATE", "TABLE"]), let table = Self.table(words, after: "TABLE") {
            guard let key = plain.indices.dropLast(2).first(where: { plain[$0] == "PRIMARY" && plain[$0 + 1] == "KEY" })
            else { return ["\(table): a table without a key"] }
            // A key of one column may follow the column's type.
            columns[table] = plain[key + 2] == "(" ? list(after: key).dropFirst().first : words[key - 2].text
            return []
        }
        if Self.contains(plain, ["UNIQUE", "INDEX"]), let table = Self.table(words, after: "ON"),
            let start = plain.firstIndex(of: "ON")
        {
            guard let column = columns[table] else { return ["\(table): a uniqueness constraint of an unknown table"] }
            return list(after: start).contains(column)
                ? [] : ["\(table): a uniqueness constraint lacks the distribution column \(column)"]
        }
        return []
    }

    /// The table that is named after a word, with its schema.
    private static func table(_ words: [Word], after keyword: String) -> String? {
        guard let start = words.firstIndex(where: { !$0.isQuoted && $0.text.uppercased() == keyword }),
            let end = words[start...].firstIndex(where: { !$0.isQuoted && $0.text == "(" }), end > start + 1
        else { return nil }
        return words[(start + 1)..<end].map(\.text).joined()
    }

    private static func contains(_ plain: [String], _ wanted: [String]) -> Bool {
        var rest = plain[...]
        while let place = rest.firstIndex(of: wanted[0]) {
            if rest[place...].starts(with: wanted) { return true }
            rest = rest[(place + 1)...]
        }
        return false
    }

    /// A word, a quoted name or a sign.
    private struct Word {
        var text: String
        var isQuoted = false
    }

    /// The words of a statement without its texts.
    private static func words(_ statement: String) -> [Word] {
        var words: [Word] = []
        var rest = Substring(statement)
        while let first = rest.first {
            if first == "'" || first == "\"" {
                var text = ""
                rest.removeFirst()
                while let end = rest.firstIndex(of: first) {
                    text += rest[..<end]
                    rest = rest[rest.index(after: end)...]
                    guard rest.first == first else { break }
                    text.append(first)
                    rest.removeFirst()
                }
                if first == "\"" { words.append(Word(text: text, isQuoted: true)) }
            } else if first.isLetter || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                words.append(Word(text: String(word)))
                rest = rest.dropFirst(word.count)
            } else {
                if "(),.;=".contains(first) { words.append(Word(text: String(first))) }
                rest.removeFirst()
            }
        }
        return words
    }
}
