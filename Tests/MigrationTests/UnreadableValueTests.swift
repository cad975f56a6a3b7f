// Tests transformable values that the migrating program cannot read: a mapping model keeps their bytes, or reports the
// missing transformer. Otherwise a tool without the program's classes would lose them.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

struct UnreadableValueTests {
    private func note(_ transformer: String, _ more: String = "") -> String {
        LightweightTests.entity(
            "Note",
            "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>"
                + "<attribute name=\"colors\" attributeType=\"Transformable\" valueTransformerName=\"\(transformer)\"/>"
                + more
        )
    }

    private static let more = "<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>"

    /// Fills a store of the first version with values that only another program can read.
    private func fill(_ versions: Versions) throws {
        let url = versions.store
        try versions.fill { context in
            // Inserting objects requires the transformer.
            ValueTransformer.setValueTransformer(
                Bytes(),
                forName: NSValueTransformerName(rawValue: "OtherProgramsTransformer")
            )
            for number in 1...3 { context.add("Note", ["a": "\(number)", "colors": Data([UInt8(number), 7])]) }
        }
        ValueTransformer.setValueTransformer(nil, forName: NSValueTransformerName(rawValue: "OtherProgramsTransformer"))
        try expectEqual(bytes(url).count, 3)
    }

    private final class Bytes: ValueTransformer, @unchecked Sendable {
        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? { value as? Data }
        override func reverseTransformedValue(_ value: Any?) -> Any? { value as? Data }
    }

    private func bytes(_ url: URL) throws -> [Data] {
        let connection = try Connection(path: url.path)
        defer { connection.close() }
        return try connection.rows("SELECT ZCOLORS FROM ZNOTE ORDER BY ZA").compactMap { row in
            if case .blob(let data) = row[0] { data } else { nil }
        }
    }

    @Test func aMappingModelKeepsTheBytesOfValuesThatCannotBeRead() throws {
        let versions = try Versions(note("OtherProgramsTransformer"), note("OtherProgramsTransformer", Self.more))
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a", "colors"], relationships: [], versions)
        try fill(versions)
        let before = try bytes(versions.store)
        try versions.use(2) { try expectEqual($0.values("a", "Note").compactMap(\.self).sorted(), ["1", "2", "3"]) }
        try expectEqual(bytes(versions.store), before)
    }

    @Test func anotherTransformerThatCannotReadThemIsRefusedWithItsName() throws {
        let versions = try Versions(note("OtherProgramsTransformer"), note("NewTransformer", Self.more))
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a", "colors"], relationships: [], versions)
        try fill(versions)
        let before = try bytes(versions.store)
        let error = try #require(throws: NSError.self) { () throws in try versions.use(2) { _ in } }
        #expect(error.localizedDescription.contains("OtherProgramsTransformer"))
        expectEqual(error.userInfo["property"] as? String, "colors")
        try expectEqual(bytes(versions.store), before)
    }

    @Test func aLargeValueWhoseFileCannotBeReadIsNotTakenForAMissingOne() throws {
        let photo = LightweightTests.entity(
            "Note",
            "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>"
                + "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" "
                + "allowsExternalBinaryDataStorage=\"YES\"/>"
        )
        let versions = try Versions(photo, photo.replacing("</entity>", with: Self.more + "</entity>"))
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a", "photo"], relationships: [], versions)
        try versions.fill { $0.add("Note", ["a": "1", "photo": Data(repeating: 1, count: 150_000)]) }
        let files = versions.store.deletingLastPathComponent().appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: files.path).first)
        let file = files.appending(path: name)
        let backup = versions.folder.appending(path: "kept")
        try FileManager.default.moveItem(at: file, to: backup)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let before = try versions.content()
        let error = try #require(throws: NSError.self) { () throws in try versions.use(2) { _ in } }
        expectEqual(error.domain, NSCocoaErrorDomain)
        try expectEqual(versions.content(), before)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: backup, to: file)
        let photos: [Data?] = try versions.use(2) { try $0.values("photo", "Note") }
        expectEqual(photos.map { $0?.count }, [150_000])
    }
}
