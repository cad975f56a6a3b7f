// Compares the tables, indexes and triggers of the fixtures with those of stores that we create for the same models.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import Testing

struct SchemaTests {
    @Test(arguments: [
        ("Harbour1.sqlite", "Harbour.xcdatamodeld/Harbour.xcdatamodel", false),
        ("Harbour2.sqlite", "Harbour.xcdatamodeld", false), ("Garden.sqlite", "Garden.xcdatamodel", false),
        ("Ledger.sqlite", "Ledger.xcdatamodel", false), ("Album.sqlite", "Album.xcdatamodel", true),
    ])
    func aStoreOfOursHasTheSameStatements(file: String, model: String, hasHistory: Bool) throws {
        let statements = "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY type, name"
        let entities = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
        try Fixture.withCopy(of: file) { url throws in
            let own = url.deletingLastPathComponent().appending(path: "own.sqlite")
            try Fixture.model(model).withStore(at: own, options: [NSPersistentHistoryTrackingKey: hasHistory]) { _ in }
            let (theirs, ours) = (try Fixture.rows(statements, in: url), try Fixture.rows(statements, in: own))
            expectEqual(theirs.map { $0[1] }, ours.map { $0[1] })
            // Columns that were added later are not separated by the same spaces.
            for (their, our) in zip(theirs, ours) { expectEqual(compact(their[2]), compact(our[2])) }
            try expectEqual(Fixture.rows(entities, in: url), Fixture.rows(entities, in: own))
        }
    }

    private func compact(_ statement: SQLValue) -> String {
        guard case .text(let text) = statement else { return "" }
        return text.replacing(" ", with: "")
    }

    @Test func theFilesHaveApplesSettings() throws {
        for name in ["Harbour1", "Harbour2", "HarbourAntique", "Garden", "Ledger", "Album"] {
            let settings = try Fixture.withCopy(of: "\(name).sqlite") { url throws in
                try ["page_size", "auto_vacuum", "user_version", "integrity_check"].map {
                    try Fixture.rows("PRAGMA \($0)", in: url)
                }
            }
            expectEqual(settings, [[[.integer(4096)]], [[.integer(2)]], [[.integer(0)]], [[.text("ok")]]], "\(name)")
        }
    }
}
