// The colours of the output, as escape codes of terminals.
import ArgumentParser
import Foundation

/// A colour or style of text.
enum Colour: Int {
    case bold = 1, dim = 2, red = 31, green = 32, yellow = 33, blue = 34, cyan = 36

    /// The text between the escape codes of the colour, if colours are enabled.
    func paint(_ text: String, if isColoured: Bool = true) -> String {
        isColoured ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
