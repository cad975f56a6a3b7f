// Files that are made to exhaust memory, each for one parser of untrusted input.
import Foundation
import GraphArchives
import GraphModelFiles
import GraphSupport
import ManagedGraph
import ManagedGraphTools

/// The hostile files.
enum HostileFiles {
    /// The bytes of a large file: HOSTILE_MEGABYTES in the environment, 1 without it.
    private static let size =
        (ProcessInfo.processInfo.environment["HOSTILE_MEGABYTES"].flatMap { Int($0) } ?? 1) << 20

    static let all: [HostileFile] = [
        HostileFile(name: "deflate-bomb", make: { RawDeflate.deflate(Data(count: 16 * size)) }, read: readCache),
        HostileFile(name: "deflate-of-list", make: { RawDeflate.deflate(Lists.flat(2 * size)) }, read: readCache),
        HostileFile(name: "list-of-shared-lists", make: { Lists.shared(fan: 10, depth: 7) }, read: readList),
        HostileFile(name: "list-shared-200-deep", make: { Lists.shared(fan: 2, depth: 190) }, read: readList),
        HostileFile(name: "list-of-one-value", make: { Lists.flat(size) }, read: readList),
        HostileFile(name: "list-of-many-objects", make: { Lists.objects(size / 8) }, read: readList),
        HostileFile(name: "list-in-xml-deep", make: { Lists.xml(depth: size / 14) }, read: readList),
        HostileFile(name: "list-in-xml-entities", make: { XMLBombs.list }, read: readList),
        HostileFile(
            name: "list-in-text-deep",
            make: { Data(String(repeating: "(", count: 1 << 20).utf8) },
            read: readList
        ),
        HostileFile(name: "archive-in-itself", make: { Archives.inItself(members: 50) }, read: readArchive),
        HostileFile(name: "archive-shared", make: { Archives.shared(fan: 20, depth: 14) }, read: readArchive),
        // Two bytes are a reference, and each a value of the array.
        HostileFile(
            name: "archive-of-one-value",
            make: { Archives.flat(1 << 20) },
            read: readArchive,
            slack: 32 << 20
        ),
        HostileFile(name: "archive-transformed", make: { Archives.shared(fan: 20, depth: 14) }, read: readTransformed),
        HostileFile(
            name: "archive-transformed-in-itself",
            make: { Archives.inItself(members: 3) },
            read: readTransformed
        ),
        HostileFile(
            name: "archive-transformed-deep",
            make: { Archives.shared(fan: 1, depth: 900) },
            read: readTransformed
        ),
        HostileFile(name: "archive-as-model", make: { Archives.inItself(members: 50) }, read: readCompiled),
        HostileFile(name: "model-of-elements", make: { XMLBombs.elements(size) }, read: readModel),
        HostileFile(name: "model-of-attributes", make: { XMLBombs.attributes(size) }, read: readModel),
        HostileFile(name: "model-deep", make: { XMLBombs.deep(size) }, read: readModel),
        HostileFile(name: "model-entities", make: { XMLBombs.model }, read: readModel),
        HostileFile(
            name: "model-of-composites",
            make: { XMLBombs.composites(fan: 10, depth: 14) },
            read: readModel,
            slack: 64 << 20
        ),
        HostileFile(
            name: "model-of-composites-deep",
            make: { XMLBombs.composites(fan: 1, depth: size / 100) },
            read: readModel
        ),
        HostileFile(name: "store-in-xml-entities", make: { XMLBombs.store }, read: readStore(.xml)),
        HostileFile(name: "store-in-xml-references", make: { XMLBombs.references(size) }, read: readStore(.xml)),
        HostileFile(name: "store-in-xml-list", make: { XMLBombs.listInStore(size) }, read: readStore(.xml)),
        HostileFile(
            name: "store-binary-shared",
            make: { Archives.shared(fan: 20, depth: 14) },
            read: readStore(.binary)
        ),
        HostileFile(name: "store-binary-list", make: { Lists.shared(fan: 10, depth: 7) }, read: readStore(.binary)),
        HostileFile(
            name: "predicate-shared",
            make: { SharedArchives.predicates(depth: 400) },
            read: readExpression
        ),
        HostileFile(
            name: "expression-shared",
            make: { SharedArchives.expressions(depth: 400) },
            read: readExpression
        ),
        HostileFile(
            name: "expression-constant-shared",
            make: { SharedArchives.constants(fan: 20, depth: 14) },
            read: readExpression
        ),
        HostileFile(
            name: "predicate-shared-unarchived",
            make: { SharedArchives.predicates(depth: 400) },
            read: unarchivePredicate,
            slack: 32 << 20
        ),
        HostileFile(
            name: "predicate-of-a-million-alternatives",
            make: { alternatives(1_000_000) },
            read: readPredicate
        ),
        HostileFile(
            name: "predicate-of-alternatives",
            make: { alternatives(87_000) },
            read: readPredicate,
            slack: 80 << 20
        ),
        HostileFile(
            name: "predicate-of-list",
            make: { Data(("a IN {" + String(repeating: "1,", count: 260_000) + "2}").utf8) },
            read: readPredicate,
            slack: 80 << 20
        ),
        HostileFile(
            name: "predicate-of-pattern",
            make: { Data(("b MATCHES '" + String(repeating: "a|", count: 260_000) + "b'").utf8) },
            read: readPredicate,
            slack: 32 << 20
        ),
        HostileFile(name: "mapping-of-objects", make: { MappingBombs.objects(size) }, read: readMapping),
        HostileFile(name: "mapping-of-references", make: { MappingBombs.references(size) }, read: readMapping),
        HostileFile(name: "mapping-in-itself", make: { MappingBombs.inThemselves(700) }, read: readMapping),
        HostileFile(name: "import-long-line", make: { ImportBombs.longLine(size) }, read: readImport("jsonl")),
        HostileFile(name: "import-refused", make: { ImportBombs.refusedLines(size / 2) }, read: readImport("jsonl")),
        HostileFile(name: "import-deep", make: { ImportBombs.deep(size / 2) }, read: readImport("jsonl")),
        HostileFile(name: "import-of-fields", make: { ImportBombs.fields(size / 2) }, read: readImport("csv")),
        HostileFile(name: "import-of-columns", make: { ImportBombs.columns(size / 2) }, read: readImport("csv")),
        HostileFile(name: "import-open-quote", make: { ImportBombs.openQuote(size / 2) }, read: readImport("csv")),
        HostileFile(name: "json-of-numbers", make: { JSONBombs.numbers(size) }, read: readJSON),
        HostileFile(name: "json-of-lists", make: { JSONBombs.lists(size) }, read: readJSON),
        HostileFile(name: "json-deep", make: { Data(String(repeating: "[", count: size).utf8) }, read: readJSON),
    ]

    // MARK: Readers

    @Sendable private static func readCache(_ data: Data) throws -> Bool {
        _ = try ModelFile.readModel(cache: data, file: "hostile")
        return true
    }

    private static func alternatives(_ count: Int) -> Data {
        Data((String(repeating: "a==1||", count: count) + "a==2").utf8)
    }

    /// As a search field's text: checked, and evaluated.
    @Sendable private static func readPredicate(_ data: Data) throws -> Bool {
        let predicate = try NSPredicate(validating: String(decoding: data, as: UTF8.self), argumentArray: nil)
        return predicate.evaluate(with: ["a": 2, "b": "b"])
    }

    @Sendable private static func readCompiled(_ data: Data) throws -> Bool {
        _ = try ModelFile.readModel(compiled: data, file: "hostile")
        return true
    }

    @Sendable private static func readModel(_ data: Data) throws -> Bool {
        _ = try ModelFile.readModel(contents: data, file: "hostile")
        return true
    }

    @Sendable private static func readList(_ data: Data) -> Bool { PropertyList.read(data) != nil }

    @Sendable private static func readArchive(_ data: Data) -> Bool { ArchivedPlainValue.value(of: data) != nil }

    @Sendable private static func readTransformed(_ data: Data) -> Bool {
        let transformer = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
        return transformer?.reverseTransformedValue(data) != nil
    }

    /// An expression of a mapping model; a predicate is read to its end, too, before it is refused.
    @Sendable private static func readExpression(_ data: Data) -> Bool {
        guard let expression = NSPropertyMapping.decoded(data) else { return false }
        return !expression.description.isEmpty
    }

    /// A predicate as a program reads it with Foundation's unarchiver.
    @Sendable private static func unarchivePredicate(_ data: Data) throws -> Bool {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) != nil
    }

    @Sendable private static func readMapping(_ data: Data) throws -> Bool {
        _ = try MappingReader.read(data, file: "hostile")
        return true
    }

    /// Imports into an empty store with an entity Item that has a name.
    private static func readImport(_ ending: String) -> @Sendable (Data) throws -> Bool {
        { data in
            let folder = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (rows, model) = (folder.appending(path: "rows.\(ending)"), folder.appending(path: "M.xcdatamodel"))
            try data.write(to: rows)
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            let contents =
                "<model><entity name=\"Item\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/></entity></model>"
            try Data(contents.utf8).write(to: model.appending(path: "contents"))
            var options = StoreImport.Options()
            options.entity = "Item"
            options.skipsRefused = true
            let report = try StoreImporter(folder.appending(path: "S.sqlite"), model: model)
                .run([rows.path], options: options) { _ in }
            return report.isSaved
        }
    }

    @Sendable private static func readJSON(_ data: Data) throws -> Bool {
        try data.withUnsafeBytes { _ = try JSONReader.read($0.bindMemory(to: UInt8.self)) }
        return true
    }

    private static func readStore(_ type: NSPersistentStore.StoreType) -> @Sendable (Data) throws -> Bool {
        { data in
            let url = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
            try data.write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            let item = NSEntityDescription("Item")
            item.properties = [NSAttributeDescription("name")]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel([item]))
            try coordinator.addPersistentStore(type: type, at: url, options: [:])
            return true
        }
    }
}
