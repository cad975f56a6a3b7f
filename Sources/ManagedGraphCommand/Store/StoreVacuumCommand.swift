// `managedgraph store vacuum`: compacts a store. The command prints; StoreVacuum does the work.
import ArgumentParser
import Foundation
import ManagedGraphTools

struct StoreVacuumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum",
        abstract: "Makes a store's file as small as its rows.",
        discussion: """
            Free pages are given back, the write-ahead log is written into the file, and files of large values that no row \
            names are removed. While another process has the store open, this is refused. A kill, a full disk or an \
            interruption leaves the store as it was. It takes as much space again while it works.

            EXAMPLES
              managedgraph store vacuum db.sqlite

            With --json there is one object: "before" and "after" (bytes, with log and files of large values), "files" and \
            "fileBytes" (those removed).
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Flag(help: "Write the outcome as one JSON object.")
    var json = false

    func run() throws {
        Interruption.watch()
        let output = Output(.never)
        let bar = ProgressBar("compacting", unit: "")
        let outcome: StoreVacuum.Outcome
        do {
            outcome = try StoreVacuum(URL(fileURLWithPath: arguments.store)).run {
                bar.update(0)
                return !Interruption.isWanted
            }
        } catch {
            bar.finish()
            // SQLite's error for an interruption is less clear than the signal's.
            try Interruption.check()
            throw CommandFailure(arguments.store, error)
        }
        bar.finish()
        if json {
            try output.line(
                .object([
                    ("before", .number(outcome.before)), ("after", .number(outcome.after)),
                    ("files", .number(outcome.removedFiles)), ("fileBytes", .number(outcome.removedBytes)),
                ])
            )
        } else {
            let files = outcome.removedFiles > 0 ? ", \(outcome.removedFiles) files without a row removed" : ""
            try output.line(
                "\(arguments.store): \(ProgressBar.grouped(outcome.before)) bytes before, "
                    + "\(ProgressBar.grouped(outcome.after)) after\(files)"
            )
        }
        try output.flush()
    }
}
