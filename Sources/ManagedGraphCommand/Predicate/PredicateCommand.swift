// `managedgraph predicate`: prints the canonical form of predicate formats, or their errors. The command reads and
// writes; GraphPredicates parses and evaluates the formats.
import ArgumentParser
import Foundation

struct PredicateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "predicate",
        abstract: "Checks predicate formats and prints them as predicateFormat does.",
        discussion: """
            Each format is printed in Apple's spelling on a line of standard output, or its error goes to standard \
            error. The exit status is 1 when anything failed.

            With --json each format gives one object a line: "format" as it was read, "ok", "printed" (the spelling), \
            "error" (one sentence or two) and "position", where the format is wrong: the number of characters before \
            that place, counted from 0 as Swift counts characters. With --evaluate there is also "value". What does not \
            apply is null.

            A format that begins with a hyphen needs -- before it. Lines that are blank are skipped.
            """
    )

    @Argument(help: "The formats; without any, they are read from standard input, one a line.")
    var formats: [String] = []

    @Flag(help: "Write one JSON object a line, errors included.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Print each predicate's value, true or false, on the JSON value in a file.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var evaluate: String?

    func run() throws {
        let judge = PredicateJudge(object: try evaluate.map(readObject))
        var output = ReportWriter(isJSON: json)
        if formats.isEmpty {
            var input = LineReader()
            // Answer each piece of input with one piece of output, so that the command can be used interactively.
            while let lines = try input.next() {
                for (number, line) in lines {
                    let report = judge.report(on: line)
                    try output.write(report, from: "line \(number)")
                }
                try output.flush()
            }
        } else {
            for (index, format) in formats.enumerated() {
                try output.write(judge.report(on: format), from: formats.count > 1 ? "argument \(index + 1)" : nil)
            }
            try output.flush()
        }
        if output.hasFailures { throw ExitCode.failure }
    }

    private func readObject(_ path: String) throws -> Any {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch let error as CocoaError where error.code == .propertyListReadCorrupt {
            let reason = error.userInfo["NSDebugDescription"] as? String ?? "it is damaged."
            throw CommandFailure(path, "it is not JSON: \(reason)")
        } catch {
            throw CommandFailure(path, "it cannot be read. Name a file that holds a JSON object.")
        }
    }
}
