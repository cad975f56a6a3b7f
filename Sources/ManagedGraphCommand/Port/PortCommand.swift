// `managedgraph port`: lists the code in a folder of Swift sources that does not compile outside Apple platforms, and
// makes the mechanical changes. The command prints; GraphPorting does the work.
import ArgumentParser
import Foundation
import GraphArchives
import GraphPorting

struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port",
        abstract: "Finds code that does not compile off Apple's platforms, and rewrites the mechanical part.",
        discussion: """
            Without --write, nothing is changed. The output lists each rule with the number of its places, then the \
            places that need work by hand, as file:line:column with the problem and the remedy; --verbose lists all \
            places. With --write, mechanical changes are made, so that the code compiles on Apple's platforms and \
            elsewhere: @objc lines and imports of Apple's frameworks go under #if canImport(…), #keyPath becomes a \
            string, overrides in extensions move into their classes, observers of notifications get closures, and \
            views are left out. A statement or declaration with another effect than display is never left out. All \
            other bytes stay, files that do not parse are skipped, and a second run changes nothing. With --diff, \
            the changes are printed.

            Folders of builds and of others' code are skipped (.build, .swiftpm, build, DerivedData, Pods, Carthage, \
            SourcePackages, vendor, node_modules, fastlane). Documentation/Porting.md lists the rules.

            With --json, each line is an object for one place: "file", "line", "column", "rule", "message", "remedy" \
            and "fixed" (whether --write rewrites it, or did). The exit status is 0 if no work by hand is left, and \
            1 if some is, or if there is nothing to port.
            """
    )

    @Argument(help: ArgumentHelp("The folder with the sources, or one Swift file.", valueName: "folder"))
    var folder: String

    @Flag(help: "Write the changed files, each in one step.")
    var write = false

    @Flag(help: "Show the changes as a unified diff.")
    var diff = false

    @Flag(help: "Change nothing (the default without --write).")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "List every place, those that are rewritten too.")
    var verbose = false

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func validate() throws {
        if write, dryRun { throw ValidationError("--write and --dry-run exclude each other.") }
        if json, diff { throw ValidationError("--json and --diff exclude each other.") }
    }

    func run() throws {
        let output = Output(colour.choice)
        if write { Interruption.watch() }
        let progress = ProgressBar("porting", unit: "modules")
        let results: [PortingFolder.Result]
        do {
            results = try PortingFolder(folder).port { done, all in
                try Interruption.check()
                progress.update(done, of: all)
            }
        } catch let failure as PortingFolder.Failure {
            throw CommandFailure(failure.file, failure.reason)
        }
        progress.finish()
        var hasFailures = false
        for result in results {
            if write, let ported = result.ported, ported.isChanged {
                do {
                    try PortingFolder.write(ported)
                } catch {
                    hasFailures = true
                    let reason = (error as? PortingFolder.Failure)?.reason ?? CommandFailure.text(error)
                    try output.complain(CommandFailure(ported.path, reason))
                }
            }
        }
        if !json, !diff { try count(results, to: output) }
        for result in results { try printResult(result, to: output) }
        if !json { try summarize(results, to: output) }
        try output.flush()
        if hasFailures || results.contains(where: { $0.findings.contains { !$0.isFixed } }) { throw ExitCode.failure }
    }

    private func printResult(_ result: PortingFolder.Result, to output: Output) throws {
        for finding in result.findings {
            if json {
                try output.line(finding.json)
                continue
            }
            // The diff already shows the rewritten code.
            if finding.isFixed, diff || !verbose { continue }
            let place = "\(finding.file):\(finding.line):\(finding.column):"
            let verdict =
                finding.isFixed
                ? output.paint(write ? "rewritten" : "can be rewritten", .green) : output.paint("by hand", .red)
            try output.line(
                TextWidth.harmless(place) + " \(verdict) [\(finding.rule)] "
                    + TextWidth.harmless("\(finding.message). \(finding.remedy)")
            )
        }
        guard diff, let ported = result.ported else { return }
        for line in UnifiedDiff.lines(from: ported.before, to: ported.after, path: relative(ported.path)) {
            switch line.first {
            case "+": try output.line(output.paint(line, .green))
            case "-": try output.line(output.paint(line, .red))
            case "@": try output.line(output.paint(line, .cyan))
            default: try output.line(line)
            }
        }
    }

    /// Prints the number of findings by rule.
    private func count(_ results: [PortingFolder.Result], to output: Output) throws {
        let byRule = Dictionary(grouping: results.flatMap(\.findings), by: \.rule)
        let width = byRule.keys.map(\.count).max() ?? 0
        for (rule, findings) in byRule.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            let fixed = findings.count { $0.isFixed }
            var parts: [String] = []
            if fixed > 0 { parts.append("\(fixed) \(write ? "rewritten" : "can be rewritten")") }
            if fixed < findings.count { parts.append("\(findings.count - fixed) by hand") }
            let name = rule + String(repeating: " ", count: width - rule.count)
            try output.line("\(name)  \(parts.joined(separator: ", "))")
        }
    }

    /// The path relative to the folder, so that the diff can be applied there.
    private func relative(_ path: String) -> String {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }

    private func summarize(_ results: [PortingFolder.Result], to output: Output) throws {
        let findings = results.flatMap(\.findings)
        let fixed = findings.count { $0.isFixed }
        let changed = results.count { $0.ported?.isChanged == true }
        let verb = write ? "rewritten" : "to be rewritten"
        let summary =
            "\(results.count) files: \(fixed) places \(verb) in \(changed) files, \(findings.count - fixed) to be done by hand."
        // The summary would get in the way of applying the diff.
        if diff { return }
        try output.line(output.paint(summary, .bold))
        if !write, changed > 0 {
            try output.line("Give --write to rewrite them, --diff to see how, --verbose to list them.")
        }
    }
}

extension Finding {
    /// The finding in the command's JSON.
    fileprivate var json: JSONValue {
        .object([
            ("file", .string(file)), ("line", .number(line)), ("column", .number(column)), ("rule", .string(rule)),
            ("message", .string(message)), ("remedy", .string(remedy)), ("fixed", .boolean(isFixed)),
        ])
    }
}
