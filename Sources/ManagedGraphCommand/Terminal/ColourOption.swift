// Properties of standard output and standard error: whether they are terminals, how wide these are, and whether to use
// colours. Beside `Terminal`.
import ArgumentParser
import Foundation

/// The option `--color`, for commands that print colours.
struct ColourOption: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: ArgumentHelp("Colours: auto (on a terminal, unless NO_COLOR is set), always or never.", valueName: "when")
    )
    var choice = Terminal.ColourChoice.auto
}
