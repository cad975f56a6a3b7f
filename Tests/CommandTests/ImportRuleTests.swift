// Tests the model rules that an import applies, and its report on relationships that only one side names.
import ExpectationSupport
import Foundation
import Testing

struct ImportRuleTests {
    /// A list with required items and no minimum, one with a minimum, and a desk with a lamp, one to one.
    private static let contents = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="List">
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="items" toMany="YES" deletionRule="Nullify" destinationEntity="Item" inverseName="list" inverseEntity="List"/>
                <relationship name="owners" optional="YES" toMany="YES" minCount="2" maxCount="3" deletionRule="Nullify" destinationEntity="Owner" inverseName="lists" inverseEntity="Owner"/>
            </entity>
            <entity name="Item">
                <relationship name="list" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="List" inverseName="items" inverseEntity="List"/>
            </entity>
            <entity name="Owner">
                <relationship name="lists" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="List" inverseName="owners" inverseEntity="List"/>
            </entity>
            <entity name="Desk">
                <relationship name="lamp" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Lamp" inverseName="desk" inverseEntity="Lamp"/>
            </entity>
            <entity name="Lamp">
                <relationship name="desk" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Desk" inverseName="lamp" inverseEntity="Desk"/>
            </entity>
        </model>
        """

    private let folder: ExchangeFolder
    private let model: URL

    init() throws {
        folder = try ExchangeFolder()
        model = folder.url.appending(path: "Rules.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: model.appending(path: "contents"))
    }

    /// Imports JSON lines into a store of the model.
    private func importing(_ lines: String, into store: String, _ options: String...) async throws -> Command {
        let file = try folder.write(lines, "in.jsonl")
        let arguments = ["import", folder.path(store), file, "--model", model.path]
        return try await Command.run(arguments + options, of: "store")
    }

    @Test("A required to-many relationship without a minimum may be empty, as in a save")
    func emptyRequired() async throws {
        let lines = "{\"$entity\":\"List\",\"title\":\"a\",\"items\":[]}\n{\"$entity\":\"List\"}\n"
        let result = try await importing(lines, into: "new.sqlite")
        expectEqual(result.status, 0, "\(result.errors)")
        #expect(result.output.contains("2 rows imported"), "\(result.output)")
    }

    @Test("A new store may have a name almost as long as a file system allows")
    func longName() async throws {
        let name = String(repeating: "é", count: 119) + ".store"
        let result = try await importing("{\"$entity\":\"List\"}\n", into: name)
        expectEqual(result.status, 0, "\(result.errors)")
        try #expect(folder.names().contains(name))
        try expectEqual(folder.names().filter { $0.hasSuffix(".import") }, [])
    }

    @Test("A minimum applies if there are members")
    func minimum() async throws {
        let lines = "{\"$id\":\"o\",\"$entity\":\"Owner\"}\n{\"$entity\":\"List\",\"owners\":[\"o\"]}\n"
        let result = try await importing(lines, into: "new.sqlite")
        expectEqual(result.status, 1, "\(result.errors)")
        #expect(result.errors.contains("must have related objects"), "\(result.errors)")
    }

    @Test(
        "The report counts sides of one-to-one relationships that were set though their own lines do not name them"
    )
    func oneSided() async throws {
        let lines = """
            {"$id":"d1","$entity":"Desk","lamp":"l1"}
            {"$id":"l1","$entity":"Lamp","desk":null}
            {"$id":"d2","$entity":"Desk","lamp":"l2"}
            {"$id":"l2","$entity":"Lamp","desk":"d2"}
            {"$id":"l3","$entity":"Lamp","desk":"d3"}
            {"$id":"d3","$entity":"Desk"}

            """
        let result = try await importing(lines, into: "a.sqlite", "--json")
        expectEqual(result.status, 0, "\(result.errors)")
        expectEqual(result.objects.first?["completed"] as? [String: Int], ["Desk.lamp": 1, "Lamp.desk": 1])
        let text = try await importing(lines, into: "b.sqlite")
        #expect(text.output.contains("Lamp.desk: 1 set, as the other side"), "\(text.output)")
        // Importing other rows changes nothing and sets no other side.
        let quiet = try await importing("{\"$entity\":\"Desk\"}\n", into: "b.sqlite", "--json")
        expectEqual((quiet.objects.first?["completed"] as? [String: Int])?.isEmpty, true)
    }
}
