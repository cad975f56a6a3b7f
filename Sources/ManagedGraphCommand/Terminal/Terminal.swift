// Properties of standard output and standard error: whether they are terminals, how wide these are, and whether to use
// colours. Used by the other parts of this folder and by commands; it writes nothing.
import ArgumentParser
import Foundation

/// Properties of standard output and standard error.
enum Terminal {
    /// Whether to write colours.
    enum ColourChoice: String, CaseIterable, ExpressibleByArgument {
        case auto, always, never
    }

    static let isErrorTerminal = isatty(STDERR_FILENO) == 1

    /// The columns of the terminal at a descriptor; nil if it is not a terminal.
    static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init).map { max(1, $0) } ?? 80
    }

    /// Whether the terminal can move its cursor and show colours.
    static let isSmart = ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false

    /// Whether to write colours to a descriptor: on a terminal that shows them, unless `NO_COLOR` is set.
    static func hasColours(_ descriptor: Int32, _ choice: ColourChoice = .auto) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto:
            isatty(descriptor) == 1 && isSmart
                && ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true
        }
    }
}
