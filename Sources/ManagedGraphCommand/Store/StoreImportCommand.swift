// `managedgraph store import`: imports files as rows. The command prints; StoreImporter and StoreLoad do the work.
import ArgumentParser
import Foundation
import GraphArchives
import ManagedGraphTools

struct StoreImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Puts rows from JSON lines, CSV or SQL into a store.",
        discussion: """
            The import is one transaction: if it fails or is interrupted, the store stays unchanged. With --model, a \
            store that does not exist is created. Memory does not grow with the number of rows. Each row is \
            validated by the model's rules, as on a save.

            EXAMPLES
              managedgraph store import new.sqlite db.jsonl --model Model.xcdatamodeld
              managedgraph store import db.sqlite tasks.csv --entity Task --update-by identifier
              managedgraph store import db.sqlite Task.csv List.csv --skip-refused
              managedgraph store import copy.sqlite dump.sql

            jsonl: one object a line, as store export writes them. "$entity" names the entity; without it, --entity \
            or the file's name does. "$id" is any text by which other lines refer to the object in their \
            relationships, in the same file or another one, earlier or later; it is optional. A relationship is such \
            a text, or a list of them; one side of a relationship is enough. The URI of an object refers to one that \
            is already in the store. A missing property gets its default value. A date is a text in ISO 8601, or \
            seconds since 2001; data are base64; decimals are texts or numbers.

            csv: the first line contains the properties' names, and optionally "$id" and "$entity". An empty field \
            means no value, "" an empty text; related objects are separated by spaces.

            sql: a script written by store export --format sql or by sqlite3's .dump becomes a new store.

            Each refused line is reported on standard error as FILE:LINE: property: reason, and nothing is imported; \
            with --skip-refused, the other lines are imported. The exit status is 1 if any line was refused.

            With --json, the output is one object: "saved", "inserted", "updated", "relationships", "completed", \
            "refused", and "refusals" (the first 100): "file", "line", "key", "reason".
            """
    )

    @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .stores)
    var store: String

    @Argument(
        help: ArgumentHelp("The files; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["jsonl", "ndjson", "json", "csv", "sql"])
    )
    var files: [String]

    @Option(
        help: ArgumentHelp("jsonl, csv or sql; by default, by the files' extensions, else jsonl.", valueName: "format")
    )
    var format: ExchangeFormat?

    @Option(help: ArgumentHelp("The entity of lines without one.", valueName: "entity"))
    var entity: String?

    @Option(
        name: .customLong("update-by"),
        help: ArgumentHelp(
            "Attributes, separated by commas: a row with the same values of them is updated instead of a new row inserted.",
            valueName: "keys"
        )
    )
    var updateBy: String?

    @Flag(name: .customLong("skip-refused"), help: "Skip refused lines, and import the others.")
    var skipsRefused = false

    @Flag(help: "Print the outcome as one JSON object.")
    var json = false

    @OptionGroup var model: ModelOption

    private var isSQL: Bool {
        format == .sql || (format == nil && files.contains { ExchangeFormat(fileName: $0) == .sql })
    }

    func validate() throws {
        if isSQL, files.count > 1 { throw ValidationError("SQL makes a whole store: name one file.") }
        if isSQL, entity != nil || updateBy != nil || skipsRefused || model.file != nil {
            throw ValidationError("SQL makes a whole store: name the store and the file only.")
        }
    }

    func run() throws {
        Interruption.watch()
        let url = try CommandFailure.naming(store) { try StoreLocation.url(store) }
        let bar = ProgressBar("importing", unit: "rows")
        let report: ImportReport
        if isSQL {
            report = try CommandFailure.naming(store) {
                try StoreLoad(url).run(files[0]) { done, fraction in
                    try Interruption.check()
                    bar.update(done, fraction: fraction)
                }
            }
        } else {
            var options = StoreImport.Options()
            options.format = format
            options.entity = entity
            options.updateBy = updateBy?.split(separator: ",").map(String.init) ?? []
            options.skipsRefused = skipsRefused
            report = try CommandFailure.naming(store) {
                try StoreImporter(url, model: model.file.map { URL(fileURLWithPath: $0) }).run(files, options: options)
                {
                    try Interruption.check()
                    bar.update($0.rows, fraction: $0.fraction)
                }
            }
        }
        bar.finish()
        try write(report)
        if report.refused > 0 { throw ExitCode.failure }
    }

    private func write(_ report: ImportReport) throws {
        let output = Output(.never)
        let completed = report.completed.sorted { $0.key < $1.key }
        if json {
            let counts: [(String, JSONValue)] = completed.map { ($0.key, .number($0.value)) }
            try output.line(
                .object([
                    ("saved", .boolean(report.isSaved)), ("inserted", .number(report.inserted)),
                    ("updated", .number(report.updated)), ("relationships", .number(report.relationships)),
                    ("completed", .object(counts)), ("refused", .number(report.refused)),
                    (
                        "refusals",
                        .array(
                            report.refusals.map {
                                .object([
                                    ("file", .string($0.file)), ("line", .number($0.line)), ("key", .string($0.key)),
                                    ("reason", .string($0.reason)),
                                ])
                            }
                        )
                    ),
                ])
            )
            return try output.flush()
        }
        for refusal in report.refusals {
            let key = refusal.key.map { "\($0): " } ?? ""
            try output.complain(
                CommandFailure("\(refusal.file):\(refusal.line)", key + TextWidth.harmless(refusal.reason))
            )
        }
        let more = report.refused - report.refusals.count
        if more > 0 { try output.complain(CommandFailure(store, "\(more) more lines were refused.")) }
        guard report.isSaved else {
            throw CommandFailure(
                store,
                "Nothing was imported, and the store is as it was. Correct the lines, or leave them out with --skip-refused."
            )
        }
        var parts = ["\(ProgressBar.grouped(report.inserted)) rows imported"]
        if report.updated > 0 { parts.append("\(ProgressBar.grouped(report.updated)) updated") }
        if report.refused > 0 { parts.append("\(ProgressBar.grouped(report.refused)) refused") }
        try output.line("\(StoreLocation.shown(store)): \(parts.joined(separator: ", "))")
        for (property, count) in completed {
            try output.line(
                "\(property): \(ProgressBar.grouped(count)) set, as the other side of the relationship names it and its own line "
                    + "does not"
            )
        }
        try output.flush()
    }
}
