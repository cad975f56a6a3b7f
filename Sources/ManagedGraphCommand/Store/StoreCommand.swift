// `managedgraph store`: what can be asked of stores. Its work is done by its subcommands.
import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Looks into persistent stores, checks them and moves their content.",
        subcommands: [
            StoreCheckCommand.self, StoreInfoCommand.self, StoreFetchCommand.self, StoreCountCommand.self,
            StoreExportCommand.self, StoreImportCommand.self, StoreHistoryCommand.self, StoreVacuumCommand.self,
        ]
    )
}
