// `managedgraph store count`: prints the number of rows of each entity, or of those that match a predicate.
import ArgumentParser
import Foundation
import ManagedGraphTools

struct StoreCountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Counts the rows of a store.",
        discussion: """
            Without an entity, counts the rows of each entity, excluding its subentities. With an entity, includes \
            its subentities, as a fetch does. The store is not changed.

            EXAMPLES
              managedgraph store count db.sqlite
              managedgraph store count db.sqlite Task 'done == NO'

            With --json, each line is an object for one entity: "entity", "count".
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Argument(help: "The entity.")
    var entity: String?

    @Argument(help: "A predicate.")
    var predicate: String?

    @OptionGroup var options: ReadingOptions

    func run() throws {
        try options.read(arguments) { reading, output in
            let counts: [(entity: String, rows: Int)]
            if let entity {
                var request = StoreQuery.Request(entity: entity)
                request.predicate = predicate
                counts = [(entity, try StoreQuery(request, in: reading).count())]
            } else {
                counts = try reading.counts()
            }
            if options.json {
                for count in counts {
                    try output.line(.object([("entity", .string(count.entity)), ("count", .number(count.rows))]))
                }
            } else if entity != nil {
                try output.line("\(counts[0].rows)")
            } else {
                let table = TextTable(
                    [TextTable.Column(title: "entity"), TextTable.Column(title: "rows", isNumber: true)],
                    to: output
                )
                for count in counts { try table.row([count.entity, "\(count.rows)"]) }
                try table.finish()
            }
        }
    }
}
