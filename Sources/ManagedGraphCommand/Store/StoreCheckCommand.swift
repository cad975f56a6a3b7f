// `managedgraph store check`: reports the problems of stores. The command prints; StoreChecker finds the problems.
import ArgumentParser
import Foundation
import GraphArchives
import ManagedGraphTools

struct StoreCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads whole stores and says what is wrong with them.",
        discussion: """
            Each store is opened for reading only: it is not changed, and no file is made beside it. What a write-ahead log \
            beside it holds is read too. All rows are read as managed objects, every relationship is followed in both \
            directions, and the file is compared with the model. The exit status is 1 when a store has problems.

            The model is the one that --model names, if the store was made with it or with another version in it; else the \
            one that the store carries in Z_MODELCACHE; else one that lies beside the store and fits.

            With --json each store gives one object a line: "file", "ok", "model" (where it came from: "cache", or a path), \
            "entities" (rows of each), "relationships" (how many were followed), "external" (values read from files beside \
            the store), "history" (its "transactions" and "changes"), "problems", and "notes" (values that the model's \
            rules refuse, and the like, which are no problems). What does not apply is null.
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
            var report = checker.check(URL(fileURLWithPath: file))
            report.file = file
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
