// Tests the model rules that an import applies, and its report on relationships that only one side names.
import Foundation
import Testing

@Suite struct ImportRuleTests {
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

    private func folder() throws -> (folder: ExchangeFolder, model: String) {
        let folder = try ExchangeFolder()
        let model = folder.url.appending(path: "Rules.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: model.appending(path: "contents"))
        return (folder, model.path)
    }

    @Test("A required to-many relationship without a minimum may be empty, as in a save")
    func emptyRequired() async throws {
        let (folder, model) = try folder()
        let file = try folder.write(
            "{\"$entity\":\"List\",\"title\":\"a\",\"items\":[]}\n{\"$entity\":\"List\"}\n",
            "in.jsonl"
        )
        let result = try await folder.run("import", folder.path("new.sqlite"), file, "--model", model)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("2 rows imported"), "\(result.output)")
    }

    @Test("A minimum applies if there are members")
    func minimum() async throws {
        let (folder, model) = try folder()
        let file = try folder.write(
            "{\"$id\":\"o\",\"$entity\":\"Owner\"}\n{\"$entity\":\"List\",\"owners\":[\"o\"]}\n",
            "in.jsonl"
        )
        let result = try await folder.run("import", folder.path("new.sqlite"), file, "--model", model)
        #expect(result.status == 1 && result.errors.contains("must have related objects"), "\(result.errors)")
    }

    @Test(
        "The report counts sides of one-to-one relationships that were set though their own lines do not name them"
    )
    func oneSided() async throws {
        let (folder, model) = try folder()
        let file = try folder.write(
            """
            {"$id":"d1","$entity":"Desk","lamp":"l1"}
            {"$id":"l1","$entity":"Lamp","desk":null}
            {"$id":"d2","$entity":"Desk","lamp":"l2"}
            {"$id":"l2","$entity":"Lamp","desk":"d2"}
            {"$id":"l3","$entity":"Lamp","desk":"d3"}
            {"$id":"d3","$entity":"Desk"}

            """,
            "in.jsonl"
        )
        let result = try await folder.run("import", folder.path("a.sqlite"), file, "--model", model, "--json")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.objects.first?["completed"] as? [String: Int] == ["Desk.lamp": 1, "Lamp.desk": 1])
        let text = try await folder.run("import", folder.path("b.sqlite"), file, "--model", model)
        #expect(text.output.contains("Lamp.desk: 1 set, as the other side"), "\(text.output)")
        // Importing the same links again changes nothing and sets no other side.
        let again = try folder.write("{\"$entity\":\"Desk\"}\n", "again.jsonl")
        let quiet = try await folder.run("import", folder.path("b.sqlite"), again, "--model", model, "--json")
        #expect((quiet.objects.first?["completed"] as? [String: Int])?.isEmpty == true)
    }
}
