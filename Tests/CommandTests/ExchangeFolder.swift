// A folder with a model that has every kind of property, for tests of `managedgraph store export` and `import`.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

/// A folder that initially contains only a model.
final class ExchangeFolder: Sendable {
    let url: URL
    var model: String { url.appending(path: "Model.xcdatamodel").path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "exchange-\(UUID().uuidString)")
        let folder = url.appending(path: "Model.xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: folder.appending(path: "contents"))
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file.
    func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }

    /// Reads a file.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    /// The names of all files, hidden ones included.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    /// Runs a store command.
    func run(_ arguments: String...) async throws -> Command { try await Command.run(arguments, of: "store") }

    /// Imports two things and a third line, and expects the line to be refused and nothing to be imported.
    ///
    /// - Parameters:
    ///   - line: The third line.
    ///   - store: The store's path or address.
    ///   - place: The part of the error after the file: the number of the line, and the property.
    ///   - reason: A part of the error.
    ///   - uid: The identifier of the first thing, if it has one.
    ///   - options: More arguments of the command.
    /// - Throws: Errors of writing the file and of starting the command.
    func expectRefusal(
        of line: String,
        by store: String,
        at place: String,
        reason: String,
        uid: String? = nil,
        _ options: String...
    ) async throws {
        let file = try write(
            """
            {"$id":"Thing/p1","name":"one","twin":"Thing/p2"\(uid.map { ",\"uid\":\"\($0)\"" } ?? "")}
            {"$id":"Thing/p2","name":"two","twin":"Thing/p1"}
            \(line)

            """,
            "Thing.jsonl"
        )
        let result = try await Command.run(["import", store, file] + options, of: "store")
        expectEqual(result.status, 1, "\(line)")
        #expect(result.errors.hasPrefix("\(file):\(place)"), "\(line): \(result.errors)")
        #expect(result.errors.contains(reason), "\(line): \(result.errors)")
        #expect(result.errors.contains("Nothing was imported"), "\(line)")
    }

    /// Makes a store from JSON lines.
    func store(_ name: String, _ lines: String) async throws -> String {
        let file = try write(lines, name + ".jsonl")
        let result = try await run("import", path(name), file, "--model", model)
        expectEqual(result.status, 0, "\(result.errors)")
        return path(name)
    }

    /// Checks that all objects of a store can be read and are valid.
    func check(_ store: String) async throws {
        let result = try await run("check", store, "--model", model, "--json")
        expectEqual(result.status, 0, "\(result.output)")
        // The bytes of the transformable are not an archive; export and import copy them unchanged.
        let notes = result.objects.first?["notes"] as? [String] ?? []
        expectEqual(notes.filter { !$0.hasPrefix("Thing.any, row") }, [], "\(result.output)")
    }

    /// Reads a store as a program does.
    func read(_ store: String, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try NSManagedObjectModel(readingFrom: URL(filePath: model)).withStore(at: URL(filePath: store), body)
    }

    private static let contents = """
        <?xml version="1.0"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Thing">
            <attribute name="name" attributeType="String" minValueString="2"/>
            <attribute name="text" optional="YES" attributeType="String" defaultValueString="none"/>
            <attribute name="small" optional="YES" attributeType="Integer 16"/>
            <attribute name="middle" optional="YES" attributeType="Integer 32" maxValueString="1000000"/>
            <attribute name="large" optional="YES" attributeType="Integer 64"/>
            <attribute name="real" optional="YES" attributeType="Double"/>
            <attribute name="short" optional="YES" attributeType="Float"/>
            <attribute name="price" optional="YES" attributeType="Decimal"/>
            <attribute name="flag" optional="YES" attributeType="Boolean"/>
            <attribute name="made" optional="YES" attributeType="Date"/>
            <attribute name="uid" optional="YES" attributeType="UUID"/>
            <attribute name="link" optional="YES" attributeType="URI"/>
            <attribute name="data" optional="YES" attributeType="Binary"/>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="any" optional="YES" attributeType="Transformable" \
        valueTransformerName="NSSecureUnarchiveFromDataTransformer"/>
            <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="upper" optional="YES" attributeType="String" derived="YES" \
        derivationExpression="uppercase:(name)"/>
            <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" \
        inverseName="things"/>
            <relationship name="twin" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thing" \
        inverseName="twin"/>
            <relationship name="tags" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
        destinationEntity="Tag" inverseName="things"/>
            <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Thing" \
        inverseName="friends"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="uid"/></uniquenessConstraint>\
        </uniquenessConstraints>
          </entity>
          <entity name="Machine" parentEntity="Thing">
            <attribute name="power" optional="YES" attributeType="Double"/>
            <relationship name="maker" maxCount="1" deletionRule="Nullify" destinationEntity="Box"/>
          </entity>
          <entity name="Box">
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" \
        derivationExpression="things.@count"/>
            <relationship name="things" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
        destinationEntity="Thing" inverseName="box"/>
          </entity>
          <entity name="Tag">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="things" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
        destinationEntity="Thing" inverseName="tags"/>
          </entity>
          <composite name="Place">
            <attribute name="street" optional="YES" attributeType="String"/>
            <attribute name="number" optional="YES" attributeType="Integer 32"/>
          </composite>
        </model>
        """
}
