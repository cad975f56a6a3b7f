// Imports rows from text into a store, in one transaction, so that the store has either all of them or none. Created by
// StoreImporter, which opens the store. Lines are read here; rows are in StoreImport+Rows.swift, their relationships in
// StoreImport+Relationships.swift. It creates no objects: values are written as a save writes its rows.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQL
import ManagedGraph

/// An import in progress.
package final class StoreImport {
    /// The options of an import.
    package struct Options: Sendable {
        /// The format of the files; if nil, the one that their names imply, or JSON lines.
        package var format: ExchangeFormat?
        /// The entity of lines without one.
        package var entity: String?
        /// Attributes that identify an existing row; its values are then replaced by those of the line.
        package var updateBy: [String] = []
        /// Whether rejected lines are skipped instead of failing the import.
        package var skipsRefused = false

        package init() {}
    }

    /// The progress of an import.
    package struct Progress: Sendable {
        package var rows: Int
        /// 0 to 1; nil if the size is unknown.
        package var fraction: Double?
    }

    let store: any ExchangeEngine
    /// The UUID and the place of the store.
    let identifier: String
    let url: URL?
    /// The store's transaction; all is written in it.
    let writer: any ImportWriteSession
    let schema: StoreSchema
    let model: CompiledModel
    let options: Options
    let ledger: ImportLedger
    private let progress: (Progress) throws -> Void
    var report = ImportReport()
    /// Whether the rejections cannot be skipped, because rows already written depend on them.
    var isFatal = false

    // Lines.
    private var files: [String] = []
    private var fileIndex = 0
    private var defaultEntity: String?
    private var isTable = false

    // Rows pending a write.
    var batch: [PendingRow] = []
    var waitingNames: Set<SQLValue> = []
    /// The greatest key of each tree, now and at the start.
    var lastKeys: [Int: Int64] = [:]
    var firstKeys: [Int: Int64] = [:]
    /// Keys of each tree that a database has given, and that are not used yet; descending.
    var givenKeys: [Int: [Int64]] = [:]

    // Relationships pending a write.
    var changes = StoreChanges()
    /// The destinations of to-one relationships in the current portion, pending writes included; nil for none.
    var owners: [ImportedMember: Int64?] = [:]

    /// Begins the store's transaction.
    init(
        _ store: any ExchangeEngine,
        identifier: String,
        at url: URL?,
        _ model: CompiledModel,
        _ options: Options,
        progress: @escaping (Progress) throws -> Void
    ) throws {
        self.store = store
        self.identifier = identifier
        self.url = url
        self.model = model
        self.options = options
        self.progress = progress
        ledger = try ImportLedger()
        let session = try store.beginSave(SaveOrigin(author: nil, contextName: "import"))
        guard let writer = session as? any ImportWriteSession else {
            session.rollback()
            throw EngineError(.failed, "rows cannot be imported into this kind of store")
        }
        self.writer = writer
        do {
            schema = try writer.schema
        } catch {
            writer.rollback()
            throw error
        }
    }

    /// Reads the files and writes their rows; O(lines and relationships), in the memory of a portion.
    func run(_ files: [String]) throws -> ImportReport {
        self.files = files
        defer { ledger.close() }
        do {
            try checkLookup()
            try prepareLookup()
            for index in files.indices where !isFull { try read(index) }
            try writeRows()
            if report.refused == 0 || options.skipsRefused { try writeRelationships() }
            guard report.refused == 0 || (options.skipsRefused && !isFatal) else {
                writer.rollback()
                (report.inserted, report.updated) = (0, 0)
                return report
            }
            try keepKeys()
            try reportProgress(fraction: 1)
            if !options.updateBy.isEmpty { try writer.removeLookups() }
            _ = try writer.commit()
            report.isSaved = true
            return report
        } catch {
            writer.rollback()
            throw error
        }
    }

    // MARK: Reporting

    /// A line's number combined with that of its file.
    func position(_ line: Int) -> Int { fileIndex << 40 | line }

    /// Records a rejected line.
    func refuse(_ position: Int, _ key: String?, _ reason: String) {
        report.refused += 1
        guard report.refusals.count < ImportReport.mostRefusals else { return }
        report.refusals.append(
            ImportReport.Refusal(
                file: files[position >> 40],
                line: position & (1 << 40 - 1),
                key: key,
                reason: reason.asSentence
            )
        )
    }

    /// Whether enough lines were rejected to stop.
    private var isFull: Bool { !options.skipsRefused && report.refused >= ImportReport.mostRefusals }

    func reportProgress(fraction: Double?) throws {
        try progress(Progress(rows: report.inserted + report.updated + batch.count, fraction: fraction))
    }

    // MARK: Lines

    private func read(_ index: Int) throws {
        fileIndex = index
        let source = try TextSource(files[index])
        let format = options.format ?? ExchangeFormat(fileName: files[index]) ?? .jsonl
        isTable = format == .csv
        defaultEntity = options.entity ?? entity(namedAs: files[index])
        switch format {
        case .csv: try readTable(source)
        case .jsonl: try readLines(source)
        case .sql:
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "SQL makes a whole store, so it is not imported together with other files, or into a store that is "
                    + "there.",
                remedy: "Import it alone, to a new place."
            )
        }
    }

    /// The entity that a file is named after.
    private func entity(namedAs path: String) -> String? {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return model.byName[name]?.name
    }

    private func reportProgress(_ source: TextSource) throws {
        let share = source.size > 0 ? Double(source.done) / Double(source.size) : nil
        // Setting relationships takes roughly the last fifth.
        try reportProgress(fraction: share.map { (Double(fileIndex) + $0) / Double(files.count) * 0.8 })
    }

    private func readLines(_ source: TextSource) throws {
        var count = 0
        while !isFull {
            let more: Void? = try source.withLine { bytes, line in
                guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
                do {
                    try take(try JSONReader.read(bytes), line: line)
                } catch let error as JSONError {
                    let isList = line == 1 && bytes.first == UInt8(ascii: "[")
                    let hint = isList ? " Write one object a line, without a list around them." : ""
                    refuse(
                        position(line),
                        nil,
                        "it is not JSON: \(error.reason), after \(error.position) bytes.\(hint)"
                    )
                }
            }
            guard more != nil else { return }
            count += 1
            if count % 256 == 0 { try reportProgress(source) }
        }
    }

    private func take(_ value: JSONValue, line: Int) throws {
        guard case .object(let members) = value else {
            let hint =
                if case .array = value { ". Write one object a line, without a list around them" } else { "" }
            return refuse(position(line), nil, "it is \(value.kind), not an object\(hint)")
        }
        try take(members, line: line)
    }

    private func readTable(_ source: TextSource) throws {
        let names: [String]
        do {
            guard let head = try source.record() else { return }
            names = head.fields.map { $0.text ?? "" }
        } catch let error as JSONError {
            return refuse(position(1), nil, "it is not CSV: \(error.reason)")
        }
        if let place = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
            return refuse(position(1), names[place], "two columns have this name")
        }
        var count = 0
        while !isFull {
            let line = source.line
            do {
                guard let record = try source.record() else { return }
                guard record.fields.count == names.count else {
                    refuse(
                        position(record.line),
                        nil,
                        "it has \(record.fields.count) fields, and the first line has \(names.count)"
                    )
                    continue
                }
                try take(
                    zip(names, record.fields).map {
                        JSONMember(name: $0, value: $1.text.map(JSONValue.string) ?? .null)
                    },
                    line: record.line
                )
            } catch let error as JSONError {
                refuse(position(line), nil, "it is not CSV: \(error.reason)")
            }
            count += 1
            if count % 256 == 0 { try reportProgress(source) }
        }
    }

    private func take(_ members: [JSONMember], line: Int) throws {
        var entity = defaultEntity
        var name: SQLValue?
        var fields: [JSONMember] = []
        fields.reserveCapacity(members.count)
        for member in members {
            switch (member.name, member.value) {
            case ("$entity", .string(let entityName)): entity = entityName
            case ("$entity", .null), ("$id", .null): break
            case ("$id", .string(let text)), ("$id", .number(let text)): name = self.name(text)
            case ("$entity", _), ("$id", _):
                return refuse(position(line), member.name, "it takes a text, not \(member.value.kind)")
            default: fields.append(member)
            }
        }
        guard let entity else {
            return refuse(
                position(line),
                "$entity",
                "no entity is named. Name one here, by --entity, or by the name of the file"
            )
        }
        guard let layout = model.byName[entity], schema.entities[entity] != nil else {
            let near = NearestName.of(entity, among: model.byName.keys).map { ". Did you mean \($0)?" } ?? ""
            return refuse(position(line), "$entity", "the model has no entity named \(entity)\(near)")
        }
        try take(layout, name: name, fields: fields, isTable: isTable, line: line)
    }

    /// A name in the ledger's form: entity and key as a number, which is many times faster than a text.
    func name(_ reference: String) -> SQLValue {
        guard let slash = reference.lastIndex(of: "/"), slash > reference.startIndex,
            let layout = model.byName[String(reference[..<slash])]
        else { return .text(reference) }
        let key = reference[reference.index(after: slash)...]
        guard key.first == "p", let number = Int64(key.dropFirst()), number > 0, number < 1 << 40,
            key.dropFirst().first != "0"
        else { return .text(reference) }
        return .integer(Int64(layout.tree.index) << 40 | number)
    }

    /// A name in the file's form.
    func text(_ name: SQLValue) -> String {
        switch name {
        case .integer(let number): "\(model.trees[Int(number >> 40)].rootName)/p\(number & (1 << 40 - 1))"
        case .text(let text): text
        default: ""
        }
    }

    // MARK: Looking rows up

    /// Makes existing rows quick to find.
    private func prepareLookup() throws {
        guard !options.updateBy.isEmpty else { return }
        for tree in model.trees {
            let layouts = model.layouts.filter { $0.tree === tree && schema.entities[$0.name] != nil }
            guard
                let layout = layouts.first(where: { layout in
                    options.updateBy.allSatisfy { layout.slot(named: $0) != nil }
                })
            else { continue }
            try writer.prepareLookup(
                layout: layout.stored,
                slots: options.updateBy.compactMap { layout.slot(named: $0) }
            )
        }
    }

    private func checkLookup() throws {
        if let unknown = options.updateBy.first(where: { name in
            !model.layouts.contains { layout in
                layout.slot(named: name).map { layout.slots[$0].kind == .attribute && layout.slots[$0].isStored }
                    ?? false
            }
        }) {
            let attributeNames = Set(model.layouts.flatMap { $0.slots.filter { $0.kind == .attribute }.map(\.name) })
            let near = NearestName.of(unknown, among: attributeNames).map { " Did you mean \($0)?" } ?? ""
            throw CoreDataError.make(
                NSCoreDataError,
                "No entity has an attribute named \(unknown).\(near)",
                remedy: "Name attributes of the rows to be updated."
            )
        }
    }
}
