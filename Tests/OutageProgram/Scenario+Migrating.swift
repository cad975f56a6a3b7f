// Scenarios with stores of an older version of a model: lightweight, deferred, staged and mapped migrations.
import Foundation
import GraphSupport
import ManagedGraph

extension Scenario {
    private enum Way: String, CaseIterable { case lightweight, deferred, staged, mapped }

    /// Versions of a model in a folder as Xcode keeps them.
    private struct Versions {
        let bundle: URL
        let count: Int

        func model(_ number: Int) throws -> NSManagedObjectModel {
            try NSManagedObjectModel(
                readingFrom: number == count ? bundle : bundle.appending(path: "V\(number).xcdatamodel")
            )
        }

        init(_ folder: URL, _ versions: [[String]]) throws {
            bundle = folder.appending(path: "Model.xcdatamodeld")
            count = versions.count
            for (number, names) in versions.enumerated() {
                let version = bundle.appending(path: "V\(number + 1).xcdatamodel")
                try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
                let attributes = names.map { name in
                    name == "id" || name == "group"
                        ? "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"Integer 32\" defaultValueString=\"1\"/>"
                        : "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
                }
                let text =
                    "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Note\">"
                    + attributes.joined() + "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" "
                    + "allowsExternalBinaryDataStorage=\"YES\"/></entity></model>"
                try Data("<?xml version=\"1.0\"?>\n\(text)".utf8).write(to: version.appending(path: "contents"))
            }
            try PropertyListSerialization
                .data(
                    fromPropertyList: ["_XCCurrentVersionName": "V\(count).xcdatamodel"],
                    format: .xml,
                    options: 0
                )
                .write(to: bundle.appending(path: ".xccurrentversion"))
        }

        /// Writes a mapping model from version 1 to 2 beside the versions.
        func writeMapping(_ attributes: [String]) throws {
            let ids = attributes.indices.map { "z\(200 + $0)" }.joined(separator: " ")
            let text =
                "<?xml version=\"1.0\"?><database><object type=\"XDDEVMAPPINGMODEL\" id=\"z100\">"
                + "<attribute name=\"sourcemodelpath\" type=\"string\">Model.xcdatamodeld/V1.xcdatamodel</attribute>"
                + "<attribute name=\"destinationmodelpath\" type=\"string\">Model.xcdatamodeld/V2.xcdatamodel</attribute>"
                + "</object><object type=\"XDDEVENTITYMAPPING\" id=\"z101\">"
                + "<attribute name=\"sourcename\" type=\"string\">Note</attribute>"
                + "<attribute name=\"destinationname\" type=\"string\">Note</attribute>"
                + "<relationship name=\"attributemappings\" idrefs=\"\(ids)\"/></object>"
                + attributes.enumerated()
                .map {
                    "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"z\(200 + $0)\">"
                        + "<attribute name=\"name\" type=\"string\">\($1)</attribute></object>"
                }
                .joined() + "</database>"
            let folder = bundle.deletingLastPathComponent().appending(path: "V1ToV2.xcmappingmodel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appending(path: "xcmapping.xml"))
        }

        func stages() throws -> NSStagedMigrationManager {
            let sums = try (1...count).map { try model($0).versionChecksum }
            let stage = NSCustomMigrationStage(
                migratingFrom: NSManagedObjectModelReference(fileURL: bundle, versionChecksum: sums[1]),
                to: NSManagedObjectModelReference(fileURL: bundle, versionChecksum: sums[2])
            )
            stage.willMigrateHandler = { manager, _ in
                guard let context = manager.container?.newBackgroundContext() else { return }
                try context.performAndWait {
                    for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
                        note.setValue("named \(note.value(forKey: "title") ?? "")", forKey: "name")
                    }
                    try context.save()
                }
            }
            return NSStagedMigrationManager([
                NSLightweightMigrationStage([sums[0]]), stage, NSLightweightMigrationStage([sums[3]]),
            ])
        }
    }

    static func migrating(_ models: URL) throws -> [Scenario] {
        try Way.allCases.map { way in
            let folder = models.appending(path: way.rawValue)
            let old = ["id", "title", "body"]
            let versions = try Versions(
                folder,
                way == .staged
                    ? [old, old + ["name"], ["id", "title", "name"], ["id", "title", "name", "group"]]
                    : [old, ["id", "title", "group"]]
            )
            if way == .mapped { try versions.writeMapping(["id", "title", "photo"]) }
            func open(_ url: URL) throws -> Desk {
                var options: [AnyHashable: Any] = [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ]
                if way == .staged { options[NSPersistentStoreStagedMigrationManagerOptionKey] = try versions.stages() }
                if way == .deferred { options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true }
                return try Desk(url, try versions.model(versions.count), options: options)
            }
            func read(_ desk: Desk) throws -> String {
                try desk.context.performAndWait { () throws in
                    let request = NSFetchRequest<[String: Any]>(entityName: "Note")
                    request.resultType = .dictionaryResultType
                    request.propertiesToFetch = ["id", "title", "group", "photo"]
                    if way == .staged { request.propertiesToFetch?.append("name") }
                    request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: true)]
                    return try desk.context.fetch(request)
                        .map { row in Desk.line { row[$0] } + " \(row["name"] ?? "")" }
                        .joined(separator: "\n")
                }
            }
            let name = "Store.sqlite"
            return Scenario(
                name: way.rawValue,
                prepare: { folder in
                    try Desk.makeWithLog(folder.appending(path: name), versions.model(1)) { desk in
                        _ = try desk.step { context in
                            for id in 1...20 {
                                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                                note.setValue(id, forKey: "id")
                                note.setValue("note \(id)", forKey: "title")
                                note.setValue(String(repeating: "x", count: 300), forKey: "body")
                                if id % 8 == 0 { note.setValue(Desk.photo(id), forKey: "photo") }
                            }
                            try context.save()
                        }
                    }
                },
                begin: { folder in
                    var opened: Desk?
                    func desk() throws -> Desk {
                        let desk = try opened ?? open(folder.appending(path: name))
                        opened = desk
                        return desk
                    }
                    var steps = [Step("migrate", isAtomic: false) { try read(desk()) }]
                    if way == .deferred {
                        steps.append(
                            Step("finish", isAtomic: false) {
                                try desk().coordinator.finishDeferredLightweightMigration()
                                return try read(desk())
                            }
                        )
                    }
                    return (steps, { opened?.close() })
                },
                content: { folder in
                    let desk = try open(folder.appending(path: name))
                    defer { desk.close() }
                    if way == .deferred { try desk.coordinator.finishDeferredLightweightMigration() }
                    return [try read(desk)]
                },
                check: { folder in
                    try Desk.check(folder.appending(path: name), versions.model(versions.count))
                        + Desk.leftovers(folder, [name])
                }
            )
        }
    }
}
