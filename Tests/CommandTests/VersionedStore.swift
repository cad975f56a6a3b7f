// A model of two versions in a folder, and a store of the first. Created by the tests of `managedgraph migrate`.
import Foundation
import GraphSupport
import ManagedGraph

/// A folder with `Tasks.xcdatamodeld` and `Tasks.sqlite`.
final class VersionedStore {
    let folder: URL
    var model: URL { folder.appending(path: "Tasks.xcdatamodeld") }
    var store: URL { folder.appending(path: "Tasks.sqlite") }

    /// Writes the versions and fills a store of the first.
    ///
    /// - Parameters:
    ///   - first: The entity's attributes in version 1, as XML.
    ///   - second: The same in version 2.
    ///   - count: The number of objects.
    /// - Throws: If the files cannot be written.
    init(
        _ first: String = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>",
        _ second: String = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
            + "<attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"3\"/>",
        count: Int = 3
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "migrate-\(UUID().uuidString)")
        for (name, attributes) in [("Tasks", first), ("Tasks 2", second)] {
            let version = model.appending(path: "\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let text =
                "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">"
                + "<entity name=\"Task\">\(attributes)</entity></model>"
            try Data(text.utf8).write(to: version.appending(path: "contents"))
        }
        try Data(
            "<plist><dict><key>_XCCurrentVersionName</key><string>Tasks 2.xcdatamodel</string></dict></plist>".utf8
        )
        .write(to: model.appending(path: ".xccurrentversion"))
        try use("Tasks") { context in
            for number in 0..<count { context.make("Task", ["title": "title \(number)"]) }
            try context.save()
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the store with a version.
    @discardableResult
    func use<R>(_ version: String, _ body: (NSManagedObjectContext) throws -> R) throws -> R {
        try NSManagedObjectModel(readingFrom: model.appending(path: "\(version).xcdatamodel")).withStore(
            at: store,
            body
        )
    }
}
