// A store with every kind of property, in a folder with its model. Created by the tests of `managedgraph store`.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import Testing

/// A folder with a model and a store for it.
final class SampleStore {
    let folder: URL
    var model: URL { folder.appending(path: "Model.xcdatamodel") }
    let store: URL

    /// Makes the store.
    ///
    /// - Parameter hasHistory: Whether the store tracks its history.
    /// - Throws: If it cannot be created.
    init(hasHistory: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "check-\(UUID().uuidString)")
        store = folder.appending(path: "Store.sqlite")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: model.appending(path: "contents"))
        try fill(hasHistory)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let contents = """
        <?xml version="1.0"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="one">
          <entity name="Item">
            <attribute name="title" attributeType="String" minValueString="2"/>
            <attribute name="size" optional="YES" attributeType="Integer 16"/>
            <attribute name="flag" optional="YES" attributeType="Boolean"/>
            <attribute name="made" optional="YES" attributeType="Date"/>
            <attribute name="uid" optional="YES" attributeType="UUID"/>
            <attribute name="link" optional="YES" attributeType="URI"/>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" \
        inverseName="items"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
        inverseName="items"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="uid"/></uniquenessConstraint>\
        </uniquenessConstraints>
          </entity>
          <entity name="Special" parentEntity="Item">
            <attribute name="extra" optional="YES" attributeType="String"/>
          </entity>
          <entity name="Owner">
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" \
        derivationExpression="items.@count"/>
            <relationship name="items" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
        destinationEntity="Item" inverseName="owner"/>
            <relationship name="badge" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Badge" \
        inverseName="owner"/>
          </entity>
          <entity name="Badge">
            <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" \
        inverseName="badge"/>
          </entity>
          <entity name="Tag">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" \
        inverseName="tags"/>
          </entity>
        </model>
        """

    private func fill(_ hasHistory: Bool) throws {
        let options = hasHistory ? [NSPersistentHistoryTrackingKey: true] : nil
        try NSManagedObjectModel(readingFrom: model).withStore(at: store, options: options) { context in
            let tag = context.make("Tag", ["name": "é"])
            for number in 1...2 {
                let owner = context.make("Owner", ["name": "owner \(number)", "badge": context.make("Badge")])
                let items = (1...3).map { place in
                    context.make(
                        place == 3 ? "Special" : "Item",
                        [
                            "title": "item \(number).\(place)", "size": place, "flag": true, "made": Date(),
                            "uid": UUID(),
                            "link": URL(filePath: "/tmp"), "tags": Set([tag]),
                            "photo": Data(repeating: 7, count: place == 1 ? 200_000 : 10),
                        ]
                    )
                }
                owner.setValue(NSOrderedSet(array: items), forKey: "items")
            }
            try context.save()
        }
    }

    /// Changes the store's tables in a way that the framework never does.
    func damage(_ sql: String) throws {
        let connection = try Connection(path: store.path)
        defer { connection.close() }
        for name in StoreSchema.triggerFunctions {
            try connection.registerFunction(name, argumentCount: 5, deterministic: false) { _ in .null }
        }
        try connection.execute(sql)
        _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// All files below the folder, with their contents.
    func content() throws -> [String: Data] {
        var result: [String: Data] = [:]
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for path in paths {
            var isFolder: ObjCBool = false
            let url = folder.appending(path: path)
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
            result[path] = isFolder.boolValue ? Data() : try Data(contentsOf: url)
        }
        return result
    }

    /// Returns the command's report on the store.
    func check(_ arguments: String...) async throws -> (report: [String: Any], status: Int32) {
        let command = try await Command.run(["check", store.path, "--json"] + arguments, of: "store")
        return (try #require(command.objects.first, "\(command.output)\(command.errors)"), command.status)
    }

    /// The problems that the command finds with the store and its model.
    func problems() async throws -> [String] {
        let (report, status) = try await check("--model", model.path)
        let problems = try #require(report["problems"] as? [String])
        expectEqual(report["ok"] as? Bool, problems.isEmpty)
        expectEqual(status, (problems.isEmpty ? 0 : 1))
        return problems
    }
}
