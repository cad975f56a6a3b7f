import CollectionSupport
import ExpectationSupport
import Foundation
import GraphEngine
import GraphModel
import GraphModelFiles
import GraphSQL
import GraphSQLite
import Testing

/// Compares our schema with collected stores of the same model.
struct AppleStoreTests {
    /// Tables that the framework adds for features that this schema lacks.
    private static let historyTables: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    private static let historyEntities: Set<String> = [
        "16001 CHANGE 0", "16002 TRANSACTION 0", "16003 TRANSACTIONSTRING 0",
    ]
    /// The first framework that names indexes as we do; the corpus has no version between 637 and 847.
    private static let firstWithFetchIndexes = 800

    @Test("The schema of a model equals Apple's, table by table")
    func schemaEqualsApples() throws {
        let models = try AppleStoreTests.modelsByHashes()
        var compared = 0
        var equal = 0
        var lines: [String] = []
        let stores = Collections.files(.sqliteStore)
        for store in stores {
            let copy = try store.copy()
            defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
            let connection = try Connection(path: copy.path)
            defer { connection.close() }
            let metadata = try StoreFile.readMetadata(connection)
            let carried = try AppleStoreTests.carriedModel(connection, store)
            guard let model = models[AppleStoreTests.key(metadata.versionHashes)] ?? carried else {
                lines.append("no model  \(store)")
                continue
            }
            compared += 1
            let ours = try AppleStoreTests.makeStore(StoreSchema(model: model))
            let isOld =
                (metadata.values[StoreMetadata.Key.frameworkVersion] as? Int ?? 0)
                < AppleStoreTests.firstWithFetchIndexes
            let differences = AppleStoreTests.differences(
                ours: try SchemaDump(ours),
                apples: try SchemaDump(connection),
                namesIndexesDifferently: isOld
            )
            if differences.isEmpty {
                equal += 1
            }
            lines.append((differences.isEmpty ? "equal     " : "DIFFERENT ") + store.description)
            lines += differences.map { "          \($0)" }
        }
        print(lines.joined(separator: "\n"))
        print("\(stores.count) stores, \(compared) with a model of the same hashes, \(equal) equal")
        // Two stores were migrated in place: one framework left the old entity's name in Z_PRIMARYKEY, the other kept
        // the indexes and column order of earlier versions. The third store is from a framework (419) that gave join
        // tables no second index.
        let knownLines = lines.filter { line in
            ["ExpensiveSportCar", "LuxuryCar", "ZSTRUCTUREDMETADATA", " index Z_", "\"Z_2COLLECTIONS\""]
                .contains { line.contains($0) }
        }
        let migrated = lines.filter { $0.hasPrefix("DIFFERENT") }
        let names = ["SampleModel_V2.sqlite", "knowledgec-10.13.db", "ArtsyPartner_1.3.sqlite"]
        #expect(migrated.allSatisfy { line in names.contains { line.hasSuffix($0) } })
        expectEqual(compared - equal, migrated.count)
        expectEqual(lines.filter { $0.hasPrefix("          ") }, knownLines)
        #expect(compared >= Collections.least(36, fixtures: 8))
        #expect(equal >= Collections.least(33, fixtures: 8))
    }

    @Test("Every collected store is recognised, with or without a log, and stays unchanged")
    func everyStoreIsRecognised() throws {
        let stores = Collections.files(.sqliteStore)
        #expect(stores.count >= Collections.least(36, fixtures: 8))
        for store in stores {
            let copy = try store.copy()
            let folder = copy.deletingLastPathComponent()
            defer { try? FileManager.default.removeItem(at: folder) }
            let contents = {
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
                    .map { ($0, try? Data(contentsOf: folder.appendingPathComponent($0))) }
            }
            let before = try contents()
            let state = StoreFile.inspect(copy.path)
            let after = try contents()
            #expect(before.elementsEqual(after) { $0 == $1 }, "\(store)")
            guard case .store(let metadata) = state else {
                Issue.record("\(store): \(state)")
                continue
            }
            #expect(!metadata.versionHashes.isEmpty, "\(store)")
            expectEqual(metadata.values[StoreMetadata.Key.storeType] as? String, "SQLite", "\(store)")
        }
    }

    @Test("Every collected model has a schema that SQLite accepts")
    func everyModelMakesAStore() throws {
        var schemaCount = 0
        for path in Collections.files(.model) {
            guard let model = try? ModelFile.readModel(at: path.url) else { continue }
            let schema = StoreSchema(model: model)
            do {
                _ = try AppleStoreTests.makeStore(schema)
                schemaCount += 1
            } catch {
                Issue.record("\(path): \(error)")
            }
            for name in schema.entityOrder {
                let entity = try #require(schema.entities[name])
                let stored = model.allProperties(ofEntityNamed: name).filter { property in
                    switch property {
                    case .attribute(let attribute):
                        !property.common.isTransient && attribute.type != .composite && attribute.type != .undefined
                    case .relationship: !property.common.isTransient
                    case .fetched: false
                    }
                }
                for property in stored {
                    #expect(entity.properties[property.name] != nil, "\(path): \(name).\(property.name)")
                }
            }
        }
        print("\(schemaCount) models have a schema")
        #expect(schemaCount >= Collections.least(287, fixtures: 10))
    }

    @Test("The triggers of derived counts equal Apple's in name and text")
    func triggersEqualApples() throws {
        let models = try AppleStoreTests.modelsByHashes()
        var compared = 0
        for store in Collections.files(.sqliteStore) {
            let copy = try store.copy()
            defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
            let connection = try Connection(path: copy.path)
            defer { connection.close() }
            let apples = try SchemaDump(connection).triggers
            let metadata = try StoreFile.readMetadata(connection)
            guard !apples.isEmpty, let model = models[AppleStoreTests.key(metadata.versionHashes)] else { continue }
            let ours = try SchemaDump(try AppleStoreTests.makeStore(StoreSchema(model: model))).triggers
            expectEqual(ours, apples, "\(store)")
            compared += 1
        }
        print("\(compared) stores with triggers compared")
        #expect(compared >= Collections.least(1, fixtures: 1))
    }

    /// The model cached in a store; nil for stores of frameworks before 2014.
    static func carriedModel(_ connection: Connection, _ store: CollectedFile) throws -> Model? {
        try StoreFile.readModelCache(connection).map { try ModelFile.readModel(cache: $0, file: store.path) }
    }

    private static func makeStore(_ schema: StoreSchema) throws -> Connection {
        let connection = try Connection(path: ":memory:", mode: .create)
        try StoreFile.fill(connection, schema: schema, metadata: StoreMetadata())
        return connection
    }

    private static func modelsByHashes() throws -> [String: Model] {
        var result: [String: Model] = [:]
        for model in CodeModels.all {
            result[key(model.versionHashes())] = model
        }
        for path in Collections.files(.model) {
            if let model = try? ModelFile.readModel(at: path.url) {
                result[key(model.versionHashes())] = model
            }
        }
        return result
    }

    private static func key(_ hashes: [String: Data]) -> String {
        hashes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.base64EncodedString())" }.joined(separator: ";")
    }

    private static func differences(
        ours: SchemaDump,
        apples: SchemaDump,
        namesIndexesDifferently: Bool
    ) -> [String] {
        var result: [String] = []
        for table in Set(ours.tables.keys).union(apples.tables.keys).subtracting(historyTables).sorted()
        where ours.tables[table] != apples.tables[table] {
            // Frameworks up to 2012 do not cache the model in the store.
            if table == "Z_MODELCACHE", apples.tables[table] == nil { continue }
            result.append("\(table): ours \(ours.tables[table] ?? []) apple's \(apples.tables[table] ?? [])")
        }
        if !namesIndexesDifferently {
            for (table, statement) in ours.statements where statement != apples.statements[table] {
                result.append("\(table): ours \(statement) apple's \(apples.statements[table] ?? "-")")
            }
        }
        let appleIndexes = apples.indexes.filter { !historyTables.contains($0.value.table) }
        if namesIndexesDifferently {
            let ourSet = Set(ours.indexes.values)
            let appleSet = Set(appleIndexes.values)
            result += ourSet.symmetricDifference(appleSet).map { "index \($0) is ours \(ourSet.contains($0))" }
        } else {
            for name in Set(ours.indexes.keys).union(appleIndexes.keys).sorted()
            where ours.indexes[name] != appleIndexes[name] {
                result.append(
                    "index \(name): ours \(ours.indexes[name].map { "\($0)" } ?? "-") apple's "
                        + (appleIndexes[name].map { "\($0)" } ?? "-")
                )
            }
        }
        let entities = apples.entities.filter { !historyEntities.contains($0) }
        if ours.entities != entities {
            result.append("Z_PRIMARYKEY: ours \(ours.entities) apple's \(entities)")
        }
        return result
    }
}
