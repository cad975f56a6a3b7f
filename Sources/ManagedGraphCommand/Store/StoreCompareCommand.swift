// `managedgraph store compare`: compares two stores object by object. StoreComparison does the work.
import ArgumentParser
import Foundation
import ManagedGraphTools

struct StoreCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two stores object by object.",
        discussion: """
            Compares all objects by their keys: entity, attributes, and relationships with their order. The stores may \
            be of different types, but must have the same model. Memory does not grow with the number of objects. \
            Versions of rows and the histories are not compared; dates are equal if they differ by less than a \
            microsecond. The exit status is 1 if the stores differ.

            EXAMPLES
              managedgraph store compare shop.sqlite 'postgresql://app@db.example.com/shop?schema=shop'

            With --json, the output is one object: "equal", "objects", "values" (compared), and "differences".
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Argument(help: ArgumentHelp("The other store: a file, or an address.", valueName: "other"), completion: .stores)
    var other: String

    @Flag(help: "Print the outcome as one JSON object.")
    var json = false

    @OptionGroup var model: ModelOption

    func run() throws {
        Interruption.watch()
        let first = try arguments.open(model: model.file)
        let second = try CommandFailure.naming(other) {
            try StoreReading(StoreLocation.url(other), model: model.file.map { URL(fileURLWithPath: $0) })
        }
        let bar = ProgressBar("comparing", unit: "objects")
        let outcome = try CommandFailure.naming(other) {
            let comparison = try StoreComparison(first, second)
            let total = try comparison.total()
            return try comparison.run { done in
                try Interruption.check()
                bar.update(done, of: total)
            }
        }
        bar.finish()
        let output = Output(.never)
        if json {
            try output.line(
                .object([
                    ("equal", .boolean(outcome.differences.isEmpty)), ("objects", .number(outcome.objects)),
                    ("values", .number(outcome.values)),
                    ("differences", .array(outcome.differences.map { .string($0) })),
                ])
            )
        } else {
            for difference in outcome.differences { try output.line(TextWidth.harmless(difference)) }
            let verdict = outcome.differences.isEmpty ? "The stores are equal" : "The stores differ"
            try output.line(
                "\(verdict): \(ProgressBar.grouped(outcome.objects)) objects with "
                    + "\(ProgressBar.grouped(outcome.values)) values compared"
            )
        }
        try output.flush()
        if !outcome.differences.isEmpty { throw ExitCode.failure }
    }
}
