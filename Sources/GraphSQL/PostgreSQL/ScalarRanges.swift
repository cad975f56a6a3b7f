// A set of scalars as the ranges of a regular expression.

/// Scalars, added in their order.
package struct ScalarRanges: Sendable, Equatable {
    private var ranges: [ClosedRange<UInt32>] = []

    package init() {}

    package mutating func append(_ scalar: Unicode.Scalar) {
        if let last = ranges.last, last.upperBound + 1 == scalar.value {
            ranges[ranges.count - 1] = last.lowerBound...scalar.value
        } else {
            ranges.append(scalar.value...scalar.value)
        }
    }

    mutating func append(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    /// The ranges in the form between brackets.
    var pattern: String {
        ranges.map { range in
            let (low, high) = (Self.escaped(range.lowerBound), Self.escaped(range.upperBound))
            return range.count == 1 ? low : "\(low)-\(high)"
        }
        .joined()
    }

    private static func escaped(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        let width = value > 0xFFFF ? 8 : 4
        return "\\\(width == 8 ? "U" : "u")" + String(repeating: "0", count: width - digits.count) + digits
    }
}

// MARK: Text

extension ScalarRanges {
    /// Reads ranges such as `300-36f 483`.
    init(text: some StringProtocol) {
        for part in text.split(separator: " ") {
            let bounds = part.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            if let low = bounds.first, let high = bounds.last { ranges.append(low...high) }
        }
    }

    /// The ranges for `init(text:)`.
    package var text: String {
        ranges.map { range in
            let (low, high) = (String(range.lowerBound, radix: 16), String(range.upperBound, radix: 16))
            return range.count == 1 ? low : "\(low)-\(high)"
        }
        .joined(separator: " ")
    }
}
