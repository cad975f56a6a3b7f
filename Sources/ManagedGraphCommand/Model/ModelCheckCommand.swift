// `managedgraph model check`: reports the problems of models. The command prints; ModelChecker finds the problems.
import ArgumentParser
import GraphArchives
import GraphModel
import ManagedGraphTools

struct ModelCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks models for errors.",
        discussion: """
            Reads every version of each model, including predicates, expressions and stored fetch requests. Checks a \
            mapping model against the models inside it. Searches a folder that is not a model for models and mapping \
            models; hidden folders are skipped.

            An error is a fault that Apple's compiler refuses; the exit status is then 1. A warning is a fault that \
            Apple's compiler accepts and then drops or replaces, such as an invalid default value, an inverse that \
            does not point back, or a stored fetch request with a name that its entity lacks; these commands, the \
            build and a program that loads the model do the same. With --strict, warnings count as errors. A note is \
            a flaw without an effect.

            With --json, each line is an object for one model: "file", "ok", "kind" (model or mapping), "entities" \
            (the number in the current version, or the number of entity mappings), "findings" (each with "level": \
            note, warning or error, "version" if there are several, "entity", "property" and "reason"), "problems" \
            (the errors, and with --strict the warnings, as texts), "version" (the current one, or null) and \
            "versions" (all of them).
            """
    )

    @Argument(help: ArgumentHelp("Models, and folders with models.", valueName: "path"), completion: .models)
    var paths: [String]

    @Flag(help: "Count warnings as errors.")
    var strict = false

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        let output = Output(colour.choice)
        var hasProblems = false
        for path in paths {
            try ModelChecker.check(path) { report in
                if !report.isFree(of: limit) { hasProblems = true }
                try output.write(json ? report.json(limit).text + "\n" : text(report, output))
            }
        }
        try output.flush()
        if hasProblems { throw ExitCode.failure }
    }

    /// The lowest level that counts as a problem.
    private var limit: ModelProblem.Level { strict ? .warning : .error }

    private func text(_ report: ModelReport, _ output: Output) -> String {
        let isOK = report.isFree(of: limit)
        let verdict = isOK ? output.paint("ok", .green) : output.paint("problems", .red)
        let things = report.isMapping ? ("entity mapping", "entity mappings") : ("entity", "entities")
        var facts = ["\(report.entities) \(report.entities == 1 ? things.0 : things.1)"]
        if report.versions.count > 1, let version = report.version {
            facts.append("version \(TextWidth.harmless(version)) of \(report.versions.count)")
        }
        for level in [ModelProblem.Level.warning, .note] {
            let count = report.findings.filter { $0.level == level }.count
            if count > 0 { facts.append("\(count) \(level.rawValue)\(count == 1 ? "" : "s")") }
        }
        let summary = isOK ? " (\(facts.joined(separator: ", ")))" : ""
        var lines = "\(TextWidth.harmless(report.file)): \(verdict)\(summary)\n"
        for finding in report.findings {
            let level = output.paint(finding.level.rawValue, colour(of: finding.level))
            lines += "  \(level): \(TextWidth.harmless(finding.text))\n"
        }
        return lines
    }

    private func colour(of level: ModelProblem.Level) -> Colour {
        switch level {
        case .note: .dim
        case .warning: .yellow
        case .error: .red
        }
    }
}

extension ModelReport {
    /// The report in the command's JSON; findings at or above the limit are problems.
    fileprivate func json(_ limit: ModelProblem.Level) -> JSONValue {
        .object([
            ("file", .string(StoreLocation.shown(file))), ("kind", .string(isMapping ? "mapping" : "model")),
            ("ok", .boolean(isFree(of: limit))), ("entities", .number(entities)),
            ("findings", .array(findings.map(\.json))),
            ("problems", .array(findings.filter { $0.level >= limit }.map { .string($0.text) })),
            ("version", .string(version)), ("versions", .array(versions.map { .string($0) })),
        ])
    }
}

extension ModelReport.Finding {
    fileprivate var json: JSONValue {
        .object([
            ("level", .string(level.rawValue)), ("version", .string(version)), ("entity", .string(entity)),
            ("property", .string(property)), ("reason", .string(reason)),
        ])
    }
}
