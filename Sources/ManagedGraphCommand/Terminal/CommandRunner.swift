// Runs a command from its arguments to its exit status. Called once, by `main`; the only place that maps errors to exit
// statuses.
import ArgumentParser
import Foundation
import Logging

enum CommandRunner {
    /// The exit status after an interruption.
    static let interrupted: Int32 = 130

    /// Runs the command that the arguments name, and ends the process.
    static func run(_ root: any ParsableCommand.Type) -> Never {
        // If the reader closes the pipe, `write` must fail instead of ending the process, so that temporary files are
        // removed.
        signal(SIGPIPE, SIG_IGN)
        Interruption.endAtOnce()
        // Commands report errors themselves, so disable the library's logging.
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

    /// Whether an error ends the command by itself, as opposed to a failure of its task.
    static func isEnd(_ error: any Error) -> Bool {
        error is OutputClosed || error is Interruption.Interrupted || error is ExitCode || error is CleanExit
            || error is ValidationError
    }
}
