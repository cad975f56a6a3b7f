// Values that are too large for an index of PostgreSQL: the error names the index and its entity.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: indexes", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLIndexTests {
    private static func model() -> NSManagedObjectModel {
        let (text, code) = (NSAttributeDescription("text"), NSAttributeDescription("code"))
        let note = NSEntityDescription("Note", [text, code])
        let element = NSFetchIndexElementDescription(property: text, collationType: .binary)
        // An ascending index would also serve as an index of the attribute.
        element.isAscending = false
        note.indexes = [NSFetchIndexDescription(name: "byText", elements: [element])]
        note.uniquenessConstraints = [["code"]]
        return NSManagedObjectModel([note])
    }

    /// A text that cannot be compressed.
    private static func text(_ count: Int) -> String {
        String(decoding: (0..<count).map { _ in UInt8.random(in: 33...126) }, as: UTF8.self)
    }

    @Test(
        "A value that is too large for an index is an error that names the index and the entity, and can be corrected",
        arguments: [
            ("text", 5_000, ["the fetch index byText of the entity Note", "Note_byText_index"]),
            ("code", 5_000, ["the uniqueness constraint (code) of the entity Note", "Note_code_unique"]),
            // The server does not name the index for a row that is larger than a page.
            ("text", 20_000, ["Note_byText_index", "Note_code_unique"]),
        ] as [(String, Int, [String])]
    )
    func largeValues(key: String, count: Int, words: [String]) throws {
        let stack = try EngineStack(.postgreSQL, model: Self.model())
        try stack.run { (context) throws in
            let note = context.make("Note", [key: Self.text(count)])
            let failure = #expect(throws: NSError.self) { try context.save() }
            let error = try #require(failure)
            // The same code as for other values that the database cannot store.
            expectEqual(error.code, 134_180)
            let remedy = error.localizedRecoverySuggestion ?? ""
            #expect(remedy.hasPrefix("Shorten the value"), "\(remedy)")
            for word in words { #expect(remedy.contains(word), "\(remedy)") }
            #expect(!"\(error)".contains("Correct the value"), "\(error)")
            #expect(context.hasChanges)
            note.setValue("short", forKey: key)
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            expectEqual(notes.map { $0.value(forKey: key) as? String }, ["short"])
        }
    }
}
