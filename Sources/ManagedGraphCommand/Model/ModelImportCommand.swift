// `managedgraph model import`: draws a model from the tables of a database. ModelDrawing does the work.
import ArgumentParser
import Foundation
import GraphModel
import ManagedGraphTools

struct ModelImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Draws a model from the tables of a database.",
        discussion: """
            Tables become entities, columns attributes, foreign keys relationships with inverses, tables of pairs \
            many-to-many relationships. NOT NULL, unique constraints, indexes, comments, lengths and literal defaults are \
            kept. Names are in Swift's style; the user info has those of tables and columns (SQLTable, SQLColumn, \
            SQLKeyColumn). The database is only read. Parts that a model cannot express are reported on standard error, \
            with a remedy.

            The extension of the output chooses the form, as for model convert.

            EXAMPLES
              managedgraph model import 'postgresql://app@db.example.com/shop?schema=public' Shop.xcdatamodeld

            With --json, the output is one object: "output", "entities", "attributes", "relationships" (numbers), and \
            "notes".
            """
    )

    @Argument(help: ArgumentHelp("The database: postgresql://user@host/database?schema=name.", valueName: "address"))
    var address: String

    @Argument(help: ArgumentHelp("The file to write.", valueName: "output"), completion: .models)
    var output: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Print the outcome as one JSON object.")
    var json = false

    func run() throws {
        let place = URL(fileURLWithPath: output)
        let writer = try CommandFailure.naming(output) { try ModelOutput(place, isReplacing: force) }
        let drawing = try CommandFailure.naming(address) { try ModelDrawing(tablesAt: StoreLocation.url(address)) }
        let name = place.deletingPathExtension().lastPathComponent
        let losses = try CommandFailure.naming(output) {
            try writer.write([ModelOutput.Version(name: name, model: drawing.model)], current: name)
        }
        let notes = drawing.notes + losses.map(\.description)
        let entities = drawing.model.entities
        let attributes = entities.reduce(0) { $0 + $1.attributes.count }
        let relationships = entities.reduce(0) { $0 + $1.properties.count } - attributes
        let console = Output()
        if json {
            try console.line(
                .object([
                    ("output", .string(output)), ("entities", .number(entities.count)),
                    ("attributes", .number(attributes)), ("relationships", .number(relationships)),
                    ("notes", .array(notes.map { .string($0) })),
                ])
            )
        } else {
            for note in notes { try console.complain(CommandFailure(address, note)) }
            try console.line(
                "\(output): \(entities.count) entities, \(attributes) attributes, \(relationships) relationships"
            )
        }
        try console.flush()
    }
}
