// `managedgraph store`: operations on stores, which the subcommands implement.
import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Reads, checks, copies, exports and imports persistent stores.",
        subcommands: [
            StoreCheckCommand.self, StoreInfoCommand.self, StoreFetchCommand.self, StoreCountCommand.self,
            StoreExportCommand.self, StoreImportCommand.self, StoreHistoryCommand.self, StoreCopyCommand.self,
            StoreCompareCommand.self, StoreVacuumCommand.self,
        ]
    )
}
