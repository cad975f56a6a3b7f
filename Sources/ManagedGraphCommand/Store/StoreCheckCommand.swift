// `managedgraph store check`: reports the problems of stores. The command prints; StoreChecker finds the problems.
import ArgumentParser
import Foundation
import GraphArchives
import ManagedGraphTools

struct StoreCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads whole stores and reports their problems.",
        discussion: """
            Opens each store for reading only: it is not changed, and no file is created beside it. A store in a \
            PostgreSQL database is named by its address: the command compares its tables, columns, indexes and foreign \
            keys with the model. Rows in a \
            write-ahead log beside the store are included. The command reads all rows as managed objects, follows \
            every relationship in both directions, and compares the file with the model. The exit status is 1 if a \
            store has problems.

            The model is the first of these that matches the store: a version of the model that --model names, the \
            model cached in the store (Z_MODELCACHE), a model file beside the store.

            With --json, each line is an object for one store: "file", "ok", "model" (its origin: "cache", or a \
            path), "entities" (rows of each), "relationships" (number followed), "external" (values read from files \
            beside the store), "history" (its "transactions" and "changes"), "problems", and "notes" (such as values \
            that the model's rules refuse, which are not problems of the store). Keys that do not apply are null.
            """
    )

    @Argument(help: ArgumentHelp("The stores.", valueName: "file"), completion: .stores)
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "A model: an .xcdatamodeld, .xcdatamodel, .momd or .mom, or an .xcmappingmodel with models inside.",
            valueName: "file"
        ),
        completion: .models
    )
    var model: String?

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        let checker = StoreChecker(model: model.map { URL(fileURLWithPath: $0) })
        let output = Output(colour.choice)
        var hasProblems = false
        for file in files {
            let url = try CommandFailure.naming(file) { try StoreLocation.url(file) }
            var report = checker.check(url)
            report.file = StoreLocation.shown(file)
            if !report.isOK { hasProblems = true }
            try output.write(json ? report.json.text + "\n" : StoreReportText(output).text(report))
            // Report each store of a long list as soon as it is checked.
            try output.flush()
        }
        if hasProblems { throw ExitCode.failure }
    }
}

extension StoreReport {
    /// The report in the command's JSON.
    fileprivate var json: JSONValue {
        .object([
            ("file", .string(file)), ("ok", .boolean(isOK)), ("model", .string(model)),
            ("entities", .object(entities.map { ($0.name, .number($0.rows)) })),
            ("relationships", .number(relationships)), ("external", .number(external)),
            ("history", history?.json ?? .null), ("problems", .array(problems.map { .string($0) })),
            ("notes", .array(notes.map { .string($0) })),
        ])
    }
}

extension StoreReport.History {
    var json: JSONValue { .object([("transactions", .number(transactions)), ("changes", .number(changes))]) }
}
