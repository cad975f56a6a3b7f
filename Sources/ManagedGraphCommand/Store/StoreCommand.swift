// `managedgraph store`: what can be asked of stores. Its work is done by its subcommands.
import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Checks persistent stores and shows what they say of themselves.",
        subcommands: [StoreCheckCommand.self, StoreInfoCommand.self]
    )
}
