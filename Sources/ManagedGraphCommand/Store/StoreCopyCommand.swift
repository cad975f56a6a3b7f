// `managedgraph store copy`: copies a store to a new place of any type. StoreCopy does the work.
import ArgumentParser
import Foundation
import ManagedGraphTools

struct StoreCopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies a store to a file or into a database.",
        discussion: """
            Copies all objects with their keys and relationships, some thousands at a time, in one transaction: if the \
            command fails or is interrupted, nothing is left at the new place. The store itself is not changed. The \
            new store has the same UUID, so that the identifiers of objects stay valid; the history is not copied. \
            managedgraph store compare compares the two afterwards. An XML file numbers the objects of all entities \
            together: its objects get other keys and identifiers, and it cannot be compared.

            The new place is a file that does not exist (SQLite; .xml and .binary choose those types), or an address \
            whose schema contains no store. A missing schema is created.

            EXAMPLES
              managedgraph store copy shop.sqlite 'postgresql://app@db.example.com/shop?schema=shop'
              managedgraph store copy 'postgresql://app@db.example.com/shop?schema=shop' shop.sqlite

            With --json, the output is one object: "objects" and "type" (of the new store).
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Argument(help: ArgumentHelp("The new place: a file, or an address.", valueName: "place"), completion: .file())
    var place: String

    @Flag(help: "Print the outcome as one JSON object.")
    var json = false

    @OptionGroup var model: ModelOption

    func run() throws {
        Interruption.watch()
        let target = try CommandFailure.naming(place) { try StoreLocation.url(place) }
        let copy = try CommandFailure.naming(arguments.store) {
            try StoreCopy(StoreLocation.url(arguments.store), model: model.file.map { URL(fileURLWithPath: $0) })
        }
        let bar = ProgressBar("copying", unit: "objects")
        let type = try CommandFailure.naming(place) {
            try copy.run(to: target) { done in
                try Interruption.check()
                bar.update(done, of: copy.total)
            }
        }
        bar.finish()
        let output = Output(.never)
        if json {
            try output.line(.object([("objects", .number(copy.total)), ("type", .string(type))]))
        } else {
            try output.line(
                "\(StoreLocation.shown(place)): \(ProgressBar.grouped(copy.total)) objects copied to a store of the type "
                    + type
            )
        }
        try output.flush()
    }
}
