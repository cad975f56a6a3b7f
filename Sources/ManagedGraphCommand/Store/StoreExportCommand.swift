// `managedgraph store export`: exports rows to files. The command writes; StoreExport formats the rows.
import ArgumentParser
import Foundation
import GraphArchives
import ManagedGraphTools

extension ExchangeFormat: ExpressibleByArgument {}

struct StoreExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the rows of a store as JSON lines, CSV or SQL.",
        discussion: """
            The store is not changed, and no file is created beside it. Memory does not grow with the number of \
            rows. The output file is complete or absent; a pipe or a device is written to directly. The command \
            managedgraph store import reads the output.

            EXAMPLES
              managedgraph store export db.sqlite --output db.jsonl
              managedgraph store export db.sqlite --format csv --output Tables
              managedgraph store export db.sqlite --entity Task --format csv > tasks.csv
              managedgraph store export db.sqlite --format sql | sqlite3 copy.sqlite

            jsonl: one object a line for each row: "$id" (its entity and key: Task/p12), "$entity", attributes as \
            store fetch --json writes them, to-one relationships as the "$id" of the other object, to-many \
            relationships as a list in their order. Derived attributes are left out, and so are unordered to-many \
            relationships whose members name their owner.

            csv: one table for each entity, in the folder that --output names, or one table for the entity that \
            --entity names: "$id", "$entity", and the same properties; related objects are separated by spaces. An \
            empty field means no value, "" an empty text.

            sql: a script with all tables of the store; values stored in files beside the store become part of their \
            rows.
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Option(help: ArgumentHelp("Only this entity and its subentities.", valueName: "entity"))
    var entity: String?

    @Option(
        help: ArgumentHelp("jsonl, csv or sql; by default, by the output's extension, else jsonl.", valueName: "format")
    )
    var format: ExchangeFormat?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A file, or a folder for tables of several entities; else standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @OptionGroup var model: ModelOption

    private var chosen: ExchangeFormat { format ?? output.flatMap(ExchangeFormat.init(fileName:)) ?? .jsonl }

    func validate() throws {
        if chosen == .sql, entity != nil { throw ValidationError("SQL is of the whole store: leave out --entity.") }
        if chosen == .csv, entity == nil, output == nil {
            throw ValidationError("A table contains one entity: name one with --entity, or a folder with --output.")
        }
    }

    func run() throws {
        Interruption.watch()
        if chosen == .sql {
            return try write(to: output) { write, bar in
                try StoreDump(StoreLocation.url(arguments.store), model: model.file.map { URL(fileURLWithPath: $0) })
                    .write({ try self.report($0, $1, bar) }, write)
                return []
            }
        }
        let reading = try arguments.open(model: model.file)
        let bar = ProgressBar("exporting", unit: "rows")
        let export = try CommandFailure.naming(arguments.store) {
            try StoreExport(reading, entity: entity) { try report($0, $1, bar) }
        }
        if chosen == .csv, entity == nil, let output { return try writeTables(export, to: output) }
        try write(to: output) { write, _ in
            try (chosen == .csv ? export.writeTable(write) : export.writeLines(write)).missing
        }
    }

    private func report(_ done: Int, _ total: Int, _ bar: ProgressBar) throws {
        try Interruption.check()
        bar.update(done, of: total)
    }

    private func write(to path: String?, _ body: (([UInt8]) throws -> Void, ProgressBar) throws -> [String]) throws {
        let bar = ProgressBar("exporting", unit: "rows")
        var missing: [String] = []
        if let path {
            let file = try OutputFile(path, from: arguments.store)
            missing = try CommandFailure.naming(arguments.store) { try body({ try file.write($0) }, bar) }
            try file.finish()
        } else {
            let output = Output(.never)
            missing = try CommandFailure.naming(arguments.store) { try body({ try output.write($0) }, bar) }
            try output.flush()
        }
        try reportMissing(missing)
    }

    private func writeTables(_ export: StoreExport, to folder: String) throws {
        // The names come from the store: one with a slash would lead out of the folder.
        if let name = export.entityNames.first(where: { $0.contains { $0 == "/" || $0 == "\0" } }) {
            throw CommandFailure(
                arguments.store,
                "The entity \(name) has a name that no file can have. Export its table alone: name the entity with "
                    + "--entity, and a file with --output."
            )
        }
        do {
            try FilePlacement.makeFolder(folder)
        } catch {
            throw CommandFailure(
                folder,
                "The folder cannot be made. Name one that is there, or whose parent can be written."
            )
        }
        var missing: [String] = []
        for entity in export.entityNames {
            let path = URL(fileURLWithPath: folder).appending(path: "\(entity).csv").path
            let file = try OutputFile(path, from: arguments.store)
            missing += try CommandFailure.naming(arguments.store) {
                try export.writeTable(of: entity) { try file.write($0) }.missing
            }
            try file.finish()
        }
        try reportMissing(missing)
    }

    /// Reports values that the store references but the export lacks, as an error after everything else is written.
    private func reportMissing(_ missing: [String]) throws {
        guard let first = missing.first else { return }
        throw CommandFailure(
            arguments.store,
            "\(missing.count) values are stored in files beside the store that are missing, and are exported as no value. "
                + "The first is \(first). Restore the files and export again."
        )
    }
}
