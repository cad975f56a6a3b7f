// `managedgraph predicate`: prints the canonical form of predicate formats, or their errors. The command reads and
// writes; GraphPredicates parses and evaluates the formats.
import ArgumentParser
import Foundation

struct PredicateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "predicate",
        abstract: "Checks predicate formats and prints them as predicateFormat does.",
        discussion: """
            Prints each format in Apple's spelling on a line of standard output, or its error on standard error. The \
            exit status is 1 if any format failed.

            With --json, each line is an object for one format: "format" as it was read, "ok", "printed" (the \
            spelling), "error" (one or two sentences) and "position" of the error: the number of characters before \
            it, counted from 0 as Swift counts characters. With --evaluate, it also has "value". Keys that do not \
            apply are null.

            A format that begins with a hyphen needs -- before it. Blank lines are skipped.
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
            // Data(contentsOf:) cannot read a pipe, such as /dev/stdin.
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let data = try file.readToEnd() ?? Data()
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch let error as CocoaError where error.code == .propertyListReadCorrupt {
            let reason = error.userInfo["NSDebugDescription"] as? String ?? "it is damaged."
            throw CommandFailure(path, "it is not JSON: \(reason)")
        } catch {
            throw CommandFailure(path, "it cannot be read. Name a file that contains a JSON value.")
        }
    }
}
