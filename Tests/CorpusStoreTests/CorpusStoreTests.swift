// Opens a copy of SQLite stores of the collections, of all with ALL_FILES=1, compares it with plain SQL, changes, saves and reopens it, and
// checks that the file has kept all other content.
import CollectionSupport
import CorpusSupport
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct CorpusStoreTests {
    /// Totals over all stores.
    private struct Counts {
        var opened = 0, traversed = 0, changed = 0, verified = 0
        var objects = 0, values = 0, links = 0, updated = 0, inserted = 0, deleted = 0, external = 0
        var refused: [String] = []
        var rules: [String] = []
        var sources: [String: Int] = [:]
    }

    @Test func everyStoreIsOpenedReadAndChangedAndKeepsItsContent() throws {
        let stores = Collections.sample(.sqliteStore, oneIn: 3)
        var counts = Counts()
        for store in stores {
            let url = try store.copy()
            defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
            guard let storeModel = try StoreModel(of: store, at: url) else {
                counts.refused.append("\(store): it carries no model, and its collection has none that fits")
                continue
            }
            standInForTransformers(of: storeModel.model)
            counts.sources[storeModel.source.rawValue, default: 0] += 1
            do {
                try exercise(store.path, url, storeModel.model, &counts)
            } catch {
                Issue.record("\(store.path): \(error)")
            }
        }
        print(
            """
            stores: \(counts.opened) opened, \(counts.traversed) traversed, \(counts.changed) changed, \
            \(counts.verified) verified, of \(stores.count); models: \(counts.sources); \(counts.objects) objects, \
            \(counts.values) values and \(counts.links) relationships compared; \(counts.updated) updated, \
            \(counts.inserted) inserted, \(counts.deleted) deleted, \(counts.external) external values
            """
        )
        for text in counts.refused { print("refused: \(text)") }
        for text in counts.rules { print("left out by a rule of the model: \(text)") }
        let expected = stores.count - counts.refused.count
        expectEqual(counts.opened, expected)
        expectEqual(counts.traversed, expected)
        expectEqual(counts.changed, expected)
        expectEqual(counts.verified, expected)
        expectEqual(counts.refused, [])
        #expect(stores.count >= Collections.least(36, fixtures: 8, oneIn: 3))
    }

    /// Registers stand-ins for the transformer classes of the programs that wrote the stores.
    private func standInForTransformers(of model: NSManagedObjectModel) {
        for case let attribute as NSAttributeDescription in model.entities.flatMap(\.properties) {
            guard let name = attribute.valueTransformerName, !name.isEmpty, !name.contains("Unarchive") else {
                continue
            }
            ValueTransformer.setValueTransformer(BytesTransformer(), forName: NSValueTransformerName(name))
        }
    }

    private func exercise(_ path: String, _ url: URL, _ model: NSManagedObjectModel, _ counts: inout Counts) throws {
        let logged = try addForeignTables(url, model)
        let before = try FileContent(url)
        let changes = try use(url, model) { context -> StoreChanges in
            counts.opened += 1
            let differences = try compare(context, url, model, &counts)
            expectEqual(differences, [], "\(path)")
            if differences.isEmpty { counts.traversed += 1 }
            let changes = StoreChanges(context)
            try changes.make(model)
            return changes
        }
        counts.changed += 1
        counts.updated += changes.updated
        counts.inserted += changes.inserted
        counts.deleted += changes.deleted
        counts.external += changes.externalValues
        counts.rules += changes.refused.map { "\(path.split(separator: "/").last ?? ""): \($0)" }
        // A store gains no object only if rules of the model prevent every insertion.
        #expect(changes.inserted > 0 || !changes.refused.isEmpty, "\(path)")
        var problems = try use(url, model) { context -> [String] in
            try compare(context, url, model, &counts) + missing(changes, context)
        }
        let after = try FileContent(url)
        problems += before.losses(in: after, touched: changes.touched)
        problems += historyProblems(before, after, changes)
        let log = (after.rows["OTHER_LOG"] ?? [:]).count
        if let logged, changes.updatedTables.contains(logged), log == 0 {
            problems.append("the foreign trigger on \(logged) has not fired")
        }
        problems += StoreChecker().check(url, with: model).problems.filter {
            // Reported for the one store that is read with another version.
            $0 != "The model is not the one the store was made with."
        }
        if path.hasSuffix("ArtsyPartner_1.3.sqlite") {
            // The original file has a row with another entity's number, so the inverse relationship cannot find it.
            problems.removeAll {
                $0 == "Artwork, row 1: the entity number 3 is none of this table's."
                    || $0 == "Artwork.artist, row 1: Artist 1 does not lead back by artworks."
            }
        }
        expectEqual(problems, [], "\(path)")
        if problems.isEmpty { counts.verified += 1 }
    }

    /// Adds tables and a trigger as another program might; returns the table whose updates the trigger logs.
    private func addForeignTables(_ url: URL, _ model: NSManagedObjectModel) throws -> String? {
        let table = model.entities.filter { !$0.isAbstract }.map(PlainReading.table).sorted().first
        let connection = try Connection(path: url.path)
        defer { connection.close() }
        try connection.execute(
            """
            CREATE TABLE OTHER_NOTES (A INTEGER PRIMARY KEY, B TEXT, C BLOB);
            CREATE INDEX OTHER_INDEX ON OTHER_NOTES (B);
            INSERT INTO OTHER_NOTES(B, C) VALUES ('one', x'00FF'), (NULL, NULL);
            CREATE TABLE OTHER_LOG (A INTEGER PRIMARY KEY, K INTEGER)
            """
        )
        guard let table else { return nil }
        try connection.execute(
            "CREATE TRIGGER OTHER_TRIGGER AFTER UPDATE ON \(table) BEGIN INSERT INTO OTHER_LOG(K) VALUES (NEW.Z_PK); END"
        )
        return table
    }

    private func use<R>(_ url: URL, _ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> R) throws
        -> R
    {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        let options = [NSIgnorePersistentStoreVersioningOption: hashes != model.entityVersionHashesByName]
        return try model.withStore(at: url, options: options, body)
    }

    /// The differences between objects and rows.
    private func compare(
        _ context: NSManagedObjectContext,
        _ url: URL,
        _ model: NSManagedObjectModel,
        _ counts: inout Counts
    ) throws -> [String] {
        let plain = try PlainReading(url)
        defer { plain.connection.close() }
        var differences: [String] = []
        for entity in model.entities {
            let name = entity.name ?? ""
            let rows = try plain.rows(of: entity)
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            let objects = try context.fetch(request)
            if Set(objects.map(\.plainKey)) != Set(rows.keys) {
                differences.append("\(name): \(objects.count) objects of \(rows.count) rows")
            }
            let properties = entity.propertiesByName.values.filter {
                !$0.isTransient && !($0 is NSFetchedPropertyDescription)
            }
            counts.objects += objects.count
            for object in objects {
                let key = object.plainKey
                guard let row = rows[key] else { continue }
                for property in properties {
                    if property is NSRelationshipDescription { counts.links += 1 } else { counts.values += 1 }
                    if let difference = try plain.difference(object, property, row, key) {
                        differences.append("\(name).\(property.name), row \(key): \(difference)")
                    }
                }
            }
            context.reset()
        }
        return Array(differences.prefix(10))
    }

    /// The changes that are missing after the store was reopened.
    private func missing(_ changes: StoreChanges, _ context: NSManagedObjectContext) throws -> [String] {
        guard let coordinator = context.persistentStoreCoordinator else { return ["no coordinator"] }
        var missing: [String] = []
        let gone = Set(changes.deletedURIs)
        for (uri, key, value) in changes.expected where !gone.contains(uri) {
            guard let identifier = coordinator.managedObjectID(forURIRepresentation: uri),
                let object = try? context.existingObject(with: identifier)
            else {
                // A cascade may have deleted the object.
                continue
            }
            let actual = object.value(forKey: key)
            let agree =
                (actual as? NSObject)?.isEqual(value) == true || "\(actual ?? "")" == "\(value)"
                || (actual as? Data) == (value as? NSData).map { Data(referencing: $0) } && actual is Data
                || (actual as? NSNumber).map { $0.doubleValue == (value as? NSNumber)?.doubleValue } == true
                || (actual as? Date)?.timeIntervalSinceReferenceDate
                    == (value as? NSDate)?.timeIntervalSinceReferenceDate
                    && actual is Date
            if !agree { missing.append("\(uri.lastPathComponent).\(key) is \(actual ?? "nil") instead of \(value)") }
        }
        for uri in changes.deletedURIs {
            guard let identifier = coordinator.managedObjectID(forURIRepresentation: uri) else { continue }
            if (try? context.existingObject(with: identifier)) != nil { missing.append("\(uri) was deleted") }
        }
        return missing
    }

    /// Checks that each save adds one transaction to an existing history.
    private func historyProblems(_ before: FileContent, _ after: FileContent, _ changes: StoreChanges) -> [String] {
        guard before.schema["table ATRANSACTION"] != nil else {
            return after.schema["table ATRANSACTION"] == nil ? [] : ["a history was begun without being requested"]
        }
        let count = { (content: FileContent, table: String) in content.rows[table]?.count ?? 0 }
        var problems: [String] = []
        if count(after, "ATRANSACTION") != count(before, "ATRANSACTION") + changes.saves {
            problems.append(
                "\(changes.saves) saves made \(count(after, "ATRANSACTION") - count(before, "ATRANSACTION")) transactions"
            )
        }
        let grown = count(after, "ACHANGE") - count(before, "ACHANGE")
        if grown < changes.updated + changes.inserted + changes.deleted {
            problems.append("only \(grown) changes are in the history")
        }
        return problems
    }
}

/// Returns stored bytes unchanged.
private final class BytesTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }
}
