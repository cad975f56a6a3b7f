// Escapes of characters in texts between quotes, and in texts that have to stay on one line.

extension Unicode.Scalar {
    /// `\n`, `\r` or `\t` for the control character that it stands for; nil for all others.
    package var letterEscape: String? {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: nil
        }
    }
}

extension String {
    /// The text between quotes, with escapes for quotes, backslashes, line ends and tabs.
    ///
    /// - Parameter escape: The escape of another character; nil if it stands for itself.
    /// - Returns: The literal.
    package func quoted(escape: (Unicode.Scalar) -> String? = { _ in nil }) -> String {
        var result = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                result += "\\\(scalar)"
            } else if let escaped = scalar.letterEscape ?? escape(scalar) {
                result += escaped
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
