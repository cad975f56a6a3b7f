// Runs a command from its arguments to its exit status. Called once, by `main`; here alone is said which error ends a command
// how.
import ArgumentParser
import Foundation
import Logging

enum CommandRunner {
    /// The status after an interruption.
    static let interrupted: Int32 = 130

    /// Runs the command that the arguments name, and ends the process.
    static func run(_ root: any ParsableCommand.Type) -> Never {
        // A reader that goes away is an error of `write`, not the end of the process, so that temporary files are removed.
        signal(SIGPIPE, SIG_IGN)
        Interruption.endAtOnce()
        // What the library would log, commands report themselves.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        do {
            var command = try root.parseAsRoot()
            try command.run()
            exit(EXIT_SUCCESS)
        } catch is OutputClosed {
            exit(EXIT_SUCCESS)
        } catch is Interruption.Interrupted {
            exit(interrupted)
        } catch let failure as CommandFailure {
            failure.write()
            exit(EXIT_FAILURE)
        } catch {
            root.exit(withError: error)
        }
    }

    /// Whether an error ends the command by itself, and is no failure of what the command was asked to do.
    static func isEnd(_ error: any Error) -> Bool {
        error is OutputClosed || error is Interruption.Interrupted || error is ExitCode || error is CleanExit
            || error is ValidationError
    }
}
