// Parses single values: flags, numbers, intervals. Called by the other parts of ContentsReader.
import Foundation
import GraphModel

extension ContentsReader {
    /// A flag in any spelling: `YES`, `true`, `1` and `NO`, `false`, `0`, in upper or lower case.
    mutating func flag(_ node: ModelNode, _ attribute: String, default fallback: Bool = false) -> Bool {
        guard let literal = node.text(attribute) else { return fallback }
        guard let value = Self.flag(literal) else {
            report(
                .invalidValue,
                "\(attribute) is \"\(literal)\", which is not a flag and counts as \(fallback ? "YES" : "NO"). Write YES or "
                    + "NO."
            )
            return fallback
        }
        return value
    }

    static func flag(_ literal: String) -> Bool? {
        switch literal.withoutOuterSpaces.lowercased() {
        case "yes", "true", "1", "y": true
        case "no", "false", "0", "n": false
        default: nil
        }
    }

    /// A whole number, or the fallback if the attribute is missing.
    mutating func count(_ node: ModelNode, _ attribute: String, default fallback: Int) -> Int {
        guard let literal = node.text(attribute) else { return fallback }
        guard let value = Int(literal.withoutOuterSpaces) else {
            report(
                .invalidValue,
                "\(attribute) is \"\(literal)\", which is not a whole number and counts as \(fallback). Write one, or leave "
                    + "it out."
            )
            return fallback
        }
        return value
    }

    /// Seconds since 2001-01-01 00:00:00 UTC, or nil if the attribute is missing.
    mutating func interval(_ node: ModelNode, _ attribute: String) -> Double? {
        guard let literal = node.text(attribute) else { return nil }
        guard let value = Double(literal.withoutOuterSpaces), value.isFinite else {
            report(
                .invalidValue,
                "\(attribute) is \"\(literal)\", which is not a number and does not count. Write seconds since "
                    + "2001-01-01 00:00:00 UTC."
            )
            return nil
        }
        return value
    }
}

extension String {
    /// The text without spaces at its ends.
    ///
    /// Xcode writes none, and Foundation's trimming is slow at its first call.
    var withoutOuterSpaces: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        let isPlain = { (byte: UInt8) in byte > 0x20 && byte < 0x80 }
        return isPlain(first) && isPlain(last) ? self : trimmingCharacters(in: .whitespaces)
    }
}
