// `managedgraph store fetch`: prints the rows that match a predicate. StoreQuery runs the fetch.
import ArgumentParser
import Foundation
import GraphArchives
import GraphEngine
import ManagedGraphTools

struct StoreFetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetches the rows of a store that match a predicate.",
        discussion: """
            The store is not changed, and no file is created beside it. Memory does not grow with the number of \
            rows.

            EXAMPLES
              managedgraph store fetch db.sqlite Task
              managedgraph store fetch db.sqlite Task 'priority == 3 AND done == NO' --sort -dueDate,title --limit 20
              managedgraph store fetch db.sqlite Task 'list.name BEGINSWITH[c] "a"' --columns title,list.name --csv
              managedgraph store fetch db.sqlite Task 'priority == 3' --sort -dueDate --explain

            With --json, each line is an object for one row: "$id" (the object's URI), "$entity", and all properties \
            by name: dates in ISO 8601, data and transformable values in base64, decimals as text, related objects \
            as URIs or lists of URIs, elements of composite attributes as "attribute.element". With --columns, it \
            has the named columns only. A date outside the years 1 to 9999 is a number: seconds since 2001. With \
            --count --json: "count".

            With --csv, the first line contains the column names. An empty field means no value, "" an empty text.

            With --explain, the output is SQLite's query plan instead of the rows; with --json: "sql", "bindings", \
            "steps", "rows" (of the result), "scanned" (rows stepped over in tables read from end to end), "sorted", \
            "seconds".
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Argument(help: "The entity.")
    var entity: String

    @Argument(help: "A predicate; without one, all rows.")
    var predicate: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Keys to sort by, separated by commas; a hyphen before a key means descending.",
            valueName: "keys"
        )
    )
    var sort: [String] = []

    @Option(help: ArgumentHelp("The maximum number of rows.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Rows to skip.", valueName: "n"))
    var offset: Int?

    @Option(
        help: ArgumentHelp(
            "Properties to show, separated by commas, also of related objects: list.name.",
            valueName: "keys"
        )
    )
    var columns: String?

    @Flag(help: "Show the number of rows.")
    var count = false

    @Flag(help: "Show each combination of the columns' values once.")
    var distinct = false

    @Flag(help: "Show the SQL and SQLite's query plan.")
    var explain = false

    @Flag(help: "Write CSV.")
    var csv = false

    @OptionGroup var options: ReadingOptions

    func validate() throws {
        if options.json, csv { throw ValidationError("--json and --csv exclude each other.") }
        if csv, explain || count { throw ValidationError("--csv is for rows: use --json, or leave it out.") }
        if distinct, columns == nil {
            throw ValidationError("--distinct needs --columns: whole rows are always distinct.")
        }
        for (name, value) in [("--limit", limit), ("--offset", offset)] {
            if let value, value < 0 { throw ValidationError("\(name) takes a number from 0 on, not \(value).") }
        }
    }

    func run() throws {
        try options.read(arguments) { reading, output in
            var request = StoreQuery.Request(entity: entity)
            request.predicate = predicate
            request.sort = sort.flatMap { $0.split(separator: ",").map(String.init) }
            (request.limit, request.offset) = (limit ?? 0, offset ?? 0)
            request.columns = columns?.split(separator: ",").map(String.init) ?? []
            request.isDistinct = distinct
            let query = try StoreQuery(request, in: reading)
            if explain {
                try write(query.explanation(isCount: count), to: output)
            } else if count {
                let number = limit == 0 ? 0 : try query.count()
                try options.json
                    ? output.line(.object([("count", .number(number))])) : output.line("\(number)")
            } else if limit == 0 {
                // A fetch takes a limit of 0 as no limit, but users mean no rows.
                if csv { try output.write(head(of: query)) }
            } else {
                try rows(of: query, to: output)
            }
        }
    }

    private func rows(of query: StoreQuery, to output: Output) throws {
        let names = query.columns.map(\.name)
        if options.json {
            let heads = names.map { name -> [UInt8] in
                var head: [UInt8] = []
                JSONWriter.append(name, to: &head)
                return head + [UInt8(ascii: ":")]
            }
            try query.each(usesURIs: true) { try output.write(line(for: $0, heads)) }
        } else if csv {
            let isWhole = columns == nil
            try output.write(head(of: query))
            try query.each(usesURIs: true) { record in
                var line: [UInt8] = []
                let fields = (isWhole ? [.text(record.id), .text(record.entity)] : []) + record.values
                for (place, field) in fields.enumerated() {
                    if place > 0 { line.append(UInt8(ascii: ",")) }
                    field.appendCSV(to: &line)
                }
                try output.write(line + [UInt8(ascii: "\n")])
            }
        } else {
            let isWhole = columns == nil
            let first = isWhole ? [TextTable.Column(title: "id")] : []
            let table = TextTable(
                first + query.columns.map { TextTable.Column(title: $0.name, isNumber: $0.isNumber) },
                to: output
            )
            try query.each(usesURIs: false) { record in
                try table.row((isWhole ? [record.id] : []) + record.values.map(\.tableText))
            }
            try table.finish()
        }
    }

    /// The first line of CSV.
    private func head(of query: StoreQuery) -> [UInt8] {
        let names = (columns == nil ? ["$id", "$entity"] : []) + query.columns.map(\.name)
        var line: [UInt8] = []
        for (place, name) in names.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            FieldValue.appendCSV(name, to: &line)
        }
        return line + [UInt8(ascii: "\n")]
    }

    private func line(for record: Record, _ heads: [[UInt8]]) -> [UInt8] {
        var line: [UInt8] = Array("{".utf8)
        if !record.id.isEmpty {
            line += "\"$id\":".utf8
            JSONWriter.append(record.id, to: &line)
            line += ",\"$entity\":".utf8
            JSONWriter.append(record.entity, to: &line)
        }
        for (place, head) in heads.enumerated() {
            if line.count > 1 { line.append(UInt8(ascii: ",")) }
            line += head
            record.values[place].appendJSON(to: &line)
        }
        return line + Array("}\n".utf8)
    }

    private func write(_ explanation: FetchExplanation, to output: Output) throws {
        if options.json {
            try output.line(
                .object([
                    ("sql", .string(explanation.statement)),
                    ("bindings", .array(explanation.bindings.map { .string($0) })),
                    ("steps", .array(explanation.steps.map { .string($0) })), ("rows", .number(explanation.rows)),
                    ("scanned", .number(explanation.scannedRows)), ("sorted", .boolean(explanation.isSorted)),
                    ("seconds", .real(explanation.seconds)),
                ])
            )
            return
        }
        if let sql = explanation.statement {
            try output.line(output.paint("SQL", .bold))
            try output.line("  \(TextWidth.harmless(sql))")
            for (place, binding) in explanation.bindings.enumerated() {
                try output.line("  ?\(place + 1) = \(TextWidth.harmless(binding))")
            }
        }
        try output.line(output.paint("Query plan", .bold))
        for step in explanation.steps { try output.line("  \(TextWidth.harmless(step))") }
        guard explanation.statement != nil else { return }
        try output.line(output.paint("Rows", .bold))
        try output.line("  \(ProgressBar.grouped(explanation.rows)) in the result")
        try output.line("  \(ProgressBar.grouped(explanation.scannedRows)) stepped over in tables read from end to end")
        if explanation.isSorted { try output.line("  sorted after they were found") }
        try output.line(String(format: "  %.1f ms", explanation.seconds * 1_000))
    }
}
