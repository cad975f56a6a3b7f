// `managedgraph model check`: models in, what is wrong with them out. It prints; what is wrong is ModelChecker's business.
import ArgumentParser
import ManagedGraph

struct ModelCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says what is wrong with models.",
        discussion: """
            Every version of each model is read, and its predicates, expressions and stored fetch requests with it. A folder \
            that is no model is searched for models; hidden folders are passed over. The exit status is 1 when something \
            is wrong.

            With --json each model gives one object a line: "file", "ok", "entities" (how many the current version has), \
            "problems" (texts that name the version, where there are several, the entity and the property), "version" (the \
            current one, or null) and "versions" (all of them).
            """
    )

    @Argument(help: ArgumentHelp("Models, and folders with models.", valueName: "path"), completion: .models)
    var paths: [String]

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        let output = Output(colour.choice)
        var hasProblems = false
        for path in paths {
            try ModelChecker.check(path) { report in
                if !report.isOK { hasProblems = true }
                try output.write(json ? report.json.text + "\n" : text(report, output))
            }
        }
        try output.flush()
        if hasProblems { throw ExitCode.failure }
    }

    private func text(_ report: ModelReport, _ output: Output) -> String {
        let verdict = report.isOK ? output.paint("ok", .green) : output.paint("problems", .red)
        var facts = ["\(report.entities) \(report.entities == 1 ? "entity" : "entities")"]
        if report.versions.count > 1, let version = report.version {
            facts.append("version \(version) of \(report.versions.count)")
        }
        var text = "\(report.file): \(verdict)" + (report.isOK ? " (\(facts.joined(separator: ", ")))\n" : "\n")
        for problem in report.problems { text += "  \(TextWidth.harmless(problem))\n" }
        return text
    }
}

extension ModelReport {
    /// The report as the command's JSON has it.
    fileprivate var json: JSONText {
        .object([
            ("file", .string(file)), ("ok", .boolean(isOK)), ("entities", .number(entities)),
            ("problems", .array(problems.map { .string($0) })), ("version", .string(version)),
            ("versions", .array(versions.map { .string($0) })),
        ])
    }
}
