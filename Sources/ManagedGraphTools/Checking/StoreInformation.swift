// Facts about a store for `managedgraph store info`, read without opening it as a persistent store.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Facts about one store.
package struct StoreInformation {
    package var file: String
    /// Apple's name of the store type.
    package var type = NSSQLiteStoreType
    package var uuid = ""
    /// The version of the framework that wrote the store.
    package var frameworkVersion: Int?
    package var hashesVersion: Int?
    package var versionIdentifiers: [String] = []
    package var versionChecksum: String?
    package var versionHashesDigest: String?
    /// Base64 of 32 bytes, by entity name.
    package var versionHashes: [(name: String, hash: String)] = []
    /// The metadata that users have added, as text.
    package var ownMetadata: [(key: String, value: String)] = []
    /// The database server's product and version.
    package var server: String?
    /// The schema of the store's tables in a database.
    package var databaseSchema: String?
    package var pageSize: Int?
    package var journalMode: String?
    /// The number of rows of each entity.
    package var entities: [(name: String, rows: Int)] = []
    package var history: StoreReport.History?
    /// The number of files of large values beside the store.
    package var externalFiles = 0
    /// The bytes of the file, its log and the files of large values.
    package var size = 0
    /// The source of a model for the store: `cache`, a path, or nil.
    package var model: String?

    /// Reads the facts about a store.
    ///
    /// - Parameters:
    ///   - url: The store's file, or the address of a database.
    ///   - model: A model file to try first.
    /// - Throws: If the file is not a store, or is too damaged to be read.
    package init(of url: URL, model: URL? = nil) throws {
        file = StoreLocation.shown(url)
        if let database = try StoreLocation.databaseType(of: url) {
            type = database
            try readDatabase(url, model)
            return
        }
        let check = StoreCheck(url)
        size = Self.size(url)
        if let otherType = check.otherType() {
            type = otherType
            try readOther(check, model)
            return
        }
        if let error = StoreFile.inspect(url.path).error(path: url.path) {
            throw CoreDataError.storeFile(error, url: url)
        }
        guard try url.fileIsThere() else {
            throw CoreDataError.cannotOpen(url, reason: "the file does not exist", remedy: "Check the path.")
        }
        try check.openFile()
        guard let connection = check.connection else { return }
        let metadata = try StoreFile.readMetadata(connection)
        try check.readTables()
        take(metadata, url, model)
        pageSize = (try check.rows("PRAGMA page_size").first?.first?.whole).map(Int.init)
        // A copy or an unwritable file may be opened in another journal mode than its own, so read the mode from the
        // header.
        journalMode = Self.journalMode(url)
        let names = try check.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_NAME")
        for row in names {
            guard let name = row[0].text, let number = row[1].whole else { continue }
            entities.append((name, try Self.count(number, check)))
        }
        if check.tables["ATRANSACTION"] != nil {
            try check.checkHistory()
            history = check.report.history
        }
        let files = ExternalFiles(store: url)
        let namesOfFiles = try files.names
        externalFiles = namesOfFiles.count
        size += namesOfFiles.reduce(0) { $0 + Self.fileSize(files.path(of: $1)) }
    }

    private mutating func readDatabase(_ url: URL, _ model: URL?) throws {
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        take(StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values), url, model)
        // Without a model the tables cannot be read.
        guard self.model != nil else { return }
        let reading = try StoreReading(url, model: model)
        entities = try reading.counts().map { ($0.entity, $0.rows) }
        guard let engine = reading.rows as? any DatabaseEngine else { return }
        let facts = try CoreDataError.mapping(url) { try engine.facts() }
        (server, databaseSchema, size) = (facts.server, facts.schema, facts.size)
        history = StoreReport.History(transactions: facts.transactions, changes: facts.changes)
    }

    private mutating func readOther(_ check: StoreCheck, _ model: URL?) throws {
        guard NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil else {
            throw CoreDataError.cannotOpen(
                check.url,
                reason: "stores of the type \(type) are not read by this version",
                remedy: "Convert the store to SQLite."
            )
        }
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: check.url)
        take(StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values), check.url, model)
    }

    private mutating func take(_ metadata: StoreMetadata, _ url: URL, _ model: URL?) {
        uuid = metadata.uuid
        frameworkVersion = (metadata.values[StoreMetadata.Key.frameworkVersion] as? NSNumber)?.intValue
        hashesVersion = (metadata.values[StoreMetadata.Key.versionHashesVersion] as? NSNumber)?.intValue
        versionIdentifiers = metadata.values[StoreMetadata.Key.versionIdentifiers] as? [String] ?? []
        versionChecksum = metadata.values[StoreMetadata.Key.versionChecksum] as? String
        versionHashesDigest = metadata.values[StoreMetadata.Key.versionHashesDigest] as? String
        versionHashes = metadata.versionHashes.map { ($0.key, $0.value.base64EncodedString()) }.sorted { $0.0 < $1.0 }
        ownMetadata = metadata.values.filter { !StoreMetadata.isReserved($0.key) }
            .map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }
        var complaints: [String] = []
        self.model = ResolvedModel.find(metadata, store: url, named: model, complaints: &complaints)?.source
    }

    /// The number of rows of an entity, counted in the table of its tree, which is named after the tree's root.
    private static func count(_ number: Int64, _ check: StoreCheck) throws -> Int {
        let root = try check.rows(
            "WITH RECURSIVE up(ent, name, super) AS (SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT = ? "
                + "UNION SELECT p.Z_ENT, p.Z_NAME, p.Z_SUPER FROM Z_PRIMARYKEY p JOIN up ON p.Z_ENT = up.super) "
                + "SELECT name FROM up WHERE super = 0",
            [.integer(number)]
        )
        guard let name = root.first?.first?.text else { return 0 }
        let table = "Z" + name.uppercased()
        guard check.tables[table]?.contains("Z_ENT") == true else { return 0 }
        let rows = try check.rows(
            "SELECT count(*) FROM \(table.quotedName) WHERE Z_ENT = ?",
            [.integer(number)]
        )
        return Int(rows.first?.first?.whole ?? 0)
    }

    private static func journalMode(_ url: URL) -> String? {
        guard let head = DatabaseFiles.head(url.path, count: 20), head.count == 20 else { return nil }
        return head[18] == 2 ? "wal" : "delete"
    }

    private static func size(_ url: URL) -> Int {
        ["", "-wal", "-journal"].reduce(0) { $0 + fileSize(url.path + $1) }
    }

    private static func fileSize(_ path: String) -> Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size]
        return (size as? NSNumber)?.intValue ?? 0
    }
}
