// `managedgraph port`: a folder of Swift sources in, what does not compile off Apple out, and the rewriting of what is mechanical.
// It prints; the work is done by GraphPorting.
import ArgumentParser
import Foundation
import GraphPorting

struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port",
        abstract: "Says what in a Core Data code base does not compile off Apple, and rewrites what is mechanical.",
        discussion: """
            Without --write nothing is changed: each place is told as file:line:column with what it is and what is to be done. \
            With --write what is mechanical is rewritten, so that it compiles on Apple's platforms and elsewhere: @objc lines \
            and imports of Apple's frameworks go under #if canImport(…), #keyPath becomes a string, overrides in extensions move \
            into their classes, observers of notifications get closures, and views are left out. All other bytes stay, a file \
            that does not parse is left alone, and a second run changes nothing. With --diff the changes are shown.

            Folders of builds and of others' code are skipped (.build, build, DerivedData, Pods, Carthage, SourcePackages). The \
            rules are listed in Documentation/Porting.md.

            With --json each place gives one object a line: "file", "line", "column", "rule", "message", "remedy" and "fixed" \
            (whether --write rewrites it, or has). The exit status is 0 where nothing is left to be done by hand, and 1 where \
            something is, or where there is nothing to port.
            """
    )

    @Argument(help: ArgumentHelp("The folder with the sources, or one Swift file.", valueName: "folder"))
    var folder: String

    @Flag(help: "Write the changed files, each in one step.")
    var write = false

    @Flag(help: "Show the changes as a unified diff.")
    var diff = false

    @Flag(help: "Change nothing, which is what happens without --write too.")
    var dryRun = false

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
            try tell(result, to: output)
        }
        if !json { try summarize(results, to: output) }
        try output.flush()
        if hasFailures || results.contains(where: { $0.findings.contains { !$0.isFixed } }) { throw ExitCode.failure }
    }

    private func tell(_ result: PortingFolder.Result, to output: Output) throws {
        for finding in result.findings {
            if json {
                try output.line(finding.json)
                continue
            }
            // What is shown as a diff need not be told.
            if diff, finding.isFixed { continue }
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

    /// The path inside of the folder, so that the diff can be applied there.
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
        // Beside a diff it would be in the way of who applies it.
        if diff { return }
        try output.line(output.paint(summary, .bold))
        if !write, changed > 0 { try output.line("Give --write to rewrite them, --diff to see how.") }
    }
}

extension Finding {
    /// The finding as the command's JSON has it.
    fileprivate var json: JSONText {
        .object([
            ("file", .string(file)), ("line", .number(line)), ("column", .number(column)), ("rule", .string(rule)),
            ("message", .string(message)), ("remedy", .string(remedy)), ("fixed", .boolean(isFixed)),
        ])
    }
}
