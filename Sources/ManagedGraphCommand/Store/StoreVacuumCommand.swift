// `managedgraph store vacuum`: compacts a store. The command prints; StoreVacuum does the work.
import ArgumentParser
import Foundation
import ManagedGraphTools

struct StoreVacuumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum",
        abstract: "Shrinks a store's file to the size of its rows.",
        discussion: """
            Returns free pages to the file system, writes the write-ahead log into the file, and removes files of \
            large values that no row refers to. The command fails if another process has the store open. If it is \
            killed, interrupted or runs out of space, the store stays unchanged. It needs as much free space as the \
            store occupies.

            EXAMPLES
              managedgraph store vacuum db.sqlite

            With --json, the output is one object: "before" and "after" (bytes, including the log and files of large \
            values), "files" and "fileBytes" (removed files).
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Flag(help: "Print the outcome as one JSON object.")
    var json = false

    func run() throws {
        Interruption.watch()
        let output = Output(.never)
        let bar = ProgressBar("compacting", unit: "")
        let outcome: StoreVacuum.Outcome
        do {
            outcome = try StoreVacuum(StoreLocation.url(arguments.store)).run {
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
                "\(StoreLocation.shown(arguments.store)): \(ProgressBar.grouped(outcome.before)) bytes before, "
                    + "\(ProgressBar.grouped(outcome.after)) after\(files)"
            )
        }
        try output.flush()
    }
}
