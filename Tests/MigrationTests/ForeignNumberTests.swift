// Tests rows whose entity number is not that of their table's only entity. Fetches read them, so a migration keeps them.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

struct ForeignNumberTests {
    private static func note(_ more: String) -> String {
        LightweightTests.entity(
            "Note",
            "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>" + more
        )
    }

    private static let count = "<attribute name=\"b\" optional=\"YES\" attributeType=\"Integer 16\" "

    /// Versions that change the table's name, its columns, its number and its tree.
    private static let versions = [
        note(""), note("\(count)renamingIdentifier=\"c\"/>"),
        LightweightTests.entity("Archive", "") + note("\(count)/>"),
        LightweightTests.entity("Archive", "") + note(count.replacing("Integer 16", with: "Double") + "/>"),
        note("\(count)/>") + "<entity name=\"Sketch\" parentEntity=\"Note\" syncable=\"YES\"/>",
        LightweightTests.entity("Archive", "") + note("\(count)/>")
            + "<entity name=\"Sketch\" parentEntity=\"Note\" syncable=\"YES\"/>",
    ]

    @Test("A migration keeps rows that have another entity's number", arguments: versions)
    func rows(_ version: String) throws {
        let versions = try Versions(Self.note("\(Self.count)/>"), version)
        try versions.fill { context in
            for number in 1...3 { context.add("Note", ["a": "\(number)", "b": Int16(number)]) }
        }
        let connection = try Connection(path: versions.store.path)
        try connection.execute("UPDATE ZNOTE SET Z_ENT = 7 WHERE ZA = '2'")
        connection.close()
        try versions.use(2) { try expectEqual($0.values("a", "Note").compactMap(\.self).sorted(), ["1", "2", "3"]) }
    }
}
