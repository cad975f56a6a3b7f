// The option that switches colours on or off.
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
