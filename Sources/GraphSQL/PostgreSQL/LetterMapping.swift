// A mapping of letters for SQL's functions translate and replace.

/// A mapping of letters above ASCII.
package struct LetterMapping: Sendable, Equatable {
    /// A letter that is mapped to several scalars.
    struct Expansion: Sendable, Equatable {
        var letter: String
        var mapped: String
    }

    /// The letters that are mapped to one scalar.
    private(set) var from = ""
    private(set) var to = ""
    private(set) var longer: [Expansion] = []

    package init() {}

    package mutating func add(_ letter: Unicode.Scalar, _ mapped: String) {
        let scalars = mapped.unicodeScalars
        if scalars.count == 1, let scalar = scalars.first {
            if scalar == letter { return }
            from.unicodeScalars.append(letter)
            to.unicodeScalars.append(scalar)
        } else {
            longer.append(Expansion(letter: String(letter), mapped: mapped))
        }
    }
}

// MARK: Text

extension LetterMapping {
    /// Reads letters such as `e0-f6>c0`, of which each next one is mapped to the next scalar, `101-137/2>100`, of which
    /// each second one is, and `df>53.53`, which is mapped to two.
    init(text: some StringProtocol) {
        for part in text.split(separator: " ") {
            let sides = part.split(separator: ">")
            guard sides.count == 2 else { continue }
            let letters = sides[0].split(separator: "/")
            let bounds = Self.numbers(letters[0], separator: "-")
            let mapped = Self.numbers(sides[1], separator: ".")
            guard let first = bounds.first, let last = bounds.last, let start = mapped.first else { continue }
            let step: UInt32 = letters.count > 1 ? 2 : 1
            for letter in stride(from: first, through: last, by: Int(step)) {
                guard let scalar = Unicode.Scalar(letter) else { continue }
                let result = mapped.count > 1 ? mapped : [start + (letter - first)]
                add(scalar, Self.string(result))
            }
        }
    }

    private static func numbers(_ text: some StringProtocol, separator: Character) -> [UInt32] {
        text.split(separator: separator).compactMap { UInt32($0, radix: 16) }
    }

    private static func string(_ values: [UInt32]) -> String {
        String(String.UnicodeScalarView(values.compactMap { Unicode.Scalar($0) }))
    }

    /// The letters for `init(text:)`.
    package var text: String {
        let pairs = zip(from.unicodeScalars, to.unicodeScalars).map { ($0.value, $1.value) }
        var runs: [String] = []
        var index = 0
        while index < pairs.count {
            let (letter, mapped) = pairs[index]
            // The longest run from here on, of neighbours or of every second letter.
            let lengths = [1, 2].map { (step: UInt32) in
                (1...).first { count in
                    let (next, distance) = (index + count, UInt32(count) * step)
                    return next >= pairs.count || pairs[next] != (letter + distance, mapped + distance)
                } ?? 1
            }
            let step = lengths[1] > lengths[0] ? 2 : 1
            let length = lengths[step - 1]
            let start = String(letter, radix: 16)
            let end = String(letter + UInt32((length - 1) * step), radix: 16)
            let range = length == 1 ? start : "\(start)-\(end)\(step == 2 ? "/2" : "")"
            runs.append("\(range)>\(String(mapped, radix: 16))")
            index += length
        }
        runs += longer.map { expansion in
            "\(Self.hexadecimal(expansion.letter))>\(Self.hexadecimal(expansion.mapped))"
        }
        return runs.joined(separator: " ")
    }

    private static func hexadecimal(_ text: String) -> String {
        text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: ".")
    }
}
