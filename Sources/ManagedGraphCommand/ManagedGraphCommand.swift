// The command `managedgraph`. It only lists the subcommands, which do the work.
import ArgumentParser

@main
struct ManagedGraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "managedgraph",
        abstract: "Works with Core Data's models, predicates and stores from the command line.",
        discussion: """
            Exit status: 0 for success, 1 if a check or an operation failed, 64 for wrong usage, 130 after an \
            interruption. Errors go to standard error. Colours and progress appear on a terminal only; NO_COLOR and \
            TERM=dumb are respected.

            Completion: managedgraph --generate-completion-script bash (or zsh, or fish) prints a script for the \
            shell.
            """,
        version: Version.current,
        subcommands: [
            GenerateCommand.self, MigrateCommand.self, ModelCommand.self, PortCommand.self, PredicateCommand.self,
            StoreCommand.self,
        ]
    )

    static func main() { CommandRunner.run(Self.self) }
}
