// The classes of characters that regular expressions have letters for.
import Foundation

/// A class of scalars; the raw value is its letter after a backslash.
enum PatternClass: String, CaseIterable {
    case digit = "d"
    case word = "w"
    case space = "s"

    /// The scalars in the form between brackets.
    var ranges: String {
        switch self {
        case .digit: Self.digits
        case .word: Self.words
        case .space: Self.spaces
        }
    }

    private static let digits = found(by: .digit)
    private static let words = found(by: .word)
    private static let spaces = found(by: .space)

    /// The scalars that the evaluator's regular expressions find.
    private static func found(by kind: PatternClass) -> String {
        var ranges = ScalarRanges()
        guard let expression = try? NSRegularExpression(pattern: "\\" + kind.rawValue) else { return "" }
        // Each plane is searched by itself: a text of all scalars is large.
        for plane in stride(from: UInt32(0), through: 0x10_0000, by: 0x1_0000) {
            var planeScalars = String.UnicodeScalarView()
            planeScalars.append(contentsOf: (plane..<plane + 0x1_0000).lazy.compactMap { Unicode.Scalar($0) })
            let planeText = String(planeScalars)
            let utf16 = Array(planeText.utf16)
            for match in expression.matches(in: planeText, range: NSRange(location: 0, length: utf16.count)) {
                let units = utf16[match.range.location..<match.range.location + match.range.length]
                for scalar in String(decoding: units, as: UTF16.self).unicodeScalars { ranges.append(scalar) }
            }
        }
        return ranges.pattern
    }
}
