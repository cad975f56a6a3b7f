// The first steps of a check: the kind of file, SQLite's integrity check, the metadata, the model.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    /// Inspects the file; returns false if there is no database to check.
    func lookAtFile() -> Bool {
        let state = StoreFile.inspect(url.path)
        switch state {
        case .missing: problems.add("The file does not exist. Check the path.")
        case .store: return true
        case .damaged(let reason):
            problems.add(reason)
            return true
        case .empty, .vacant, .foreign: problems.add(state.error(path: url.path)?.reason ?? "This is not a store.")
        }
        return false
    }

    func openFile() throws {
        let snapshotFile = try ImmutableSnapshotFile(url.path)
        self.snapshotFile = snapshotFile
        let connection = try snapshotFile.connection()
        try connection.registerFunction(StoreSchema.derivingFunction, argumentCount: 2) { arguments in
            guard case .text(let name) = arguments[0], case .text(let text) = arguments[1] else { return .null }
            return Derivation.call(name, text).map(SQLValue.text) ?? .null
        }
        self.connection = connection
    }

    func checkIntegrity() throws {
        for row in try rows("PRAGMA integrity_check(20)") {
            guard let result = row.first?.text, result != "ok" else { continue }
            for line in result.split(separator: "\n") where !line.hasPrefix("***") {
                problems.add("SQLite's integrity check: \(line)", kind: "SQLite's integrity check")
            }
        }
    }

    func checkMetadata() throws {
        guard let connection else { return }
        let metadata = try StoreFile.readMetadata(connection)
        self.metadata = metadata
        if UUID(uuidString: metadata.uuid) == nil {
            problems.add("Z_METADATA: the store's identifier \(metadata.uuid.debugDescription) is not a UUID.")
        }
        let count = try rows("SELECT count(*) FROM Z_METADATA").first?.first?.whole ?? 0
        if count != 1 { problems.add("Z_METADATA has \(count) rows instead of one.") }
        let type = metadata.values[StoreMetadata.Key.storeType]
        if type as? String != NSSQLiteStoreType {
            problems.add("Z_METADATA: the store's type is \(type.map { "\($0)" } ?? "missing") instead of SQLite.")
        }
        guard let hashes = metadata.values[StoreMetadata.Key.versionHashes] as? [String: Data] else {
            problems.add("Z_METADATA has no version hashes, so no model can be matched to the store.")
            return
        }
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) where hash.count != 32 {
            problems.add("Z_METADATA: the version hash of \(name) has \(hash.count) bytes instead of 32.")
        }
    }

    func readTables() throws {
        guard let connection else { return }
        tables = try StoreFile.tables(connection)
    }

    func findModel(_ modelFile: URL?) throws {
        guard let metadata else { return }
        var complaints: [String] = []
        if let suppliedModel {
            resolvedModel = ResolvedModel.fitting(metadata.versionHashes, among: [(suppliedModel, "given")])
            if resolvedModel == nil {
                complaints.append("The model is not the one the store was made with.")
                resolvedModel = ResolvedModel(
                    model: suppliedModel,
                    configuration: nil,
                    part: suppliedModel.schema,
                    source: "given",
                    fits: false
                )
            }
        } else {
            resolvedModel = ResolvedModel.find(metadata, store: url, named: modelFile, complaints: &complaints)
        }
        for complaint in complaints { problems.add(complaint) }
        guard let resolvedModel else {
            if modelFile == nil || complaints.isEmpty {
                problems.add(
                    "There is no model to read the store with: it contains none, and none that fits lies "
                        + "beside it. Name the model that it was made with: --model <file>."
                )
            }
            return
        }
        report.model = resolvedModel.source
        let numbers = try connection.map(StoreFile.entityNumbers) ?? [:]
        schema = StoreSchema(model: resolvedModel.part, numbers: numbers).fitted(to: tables)
    }

    func checkUnchanged() {
        guard let snapshotFile, !snapshotFile.isUnchanged else { return }
        problems.add(
            "The file was written while it was read, so that parts of this report may be of different moments."
        )
    }
}
