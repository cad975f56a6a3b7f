// The command `managedgraph`. Its work is done by its subcommands; nothing but the list of them is here.
import ArgumentParser

@main
struct ManagedGraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "managedgraph",
        abstract: "Works with Core Data's predicates and stores from the command line.",
        subcommands: [PredicateCommand.self, StoreCommand.self]
    )
}
