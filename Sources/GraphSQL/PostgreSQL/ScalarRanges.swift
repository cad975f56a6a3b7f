// A set of scalars as the ranges of a regular expression.

/// Scalars, added in their order.
struct ScalarRanges: Sendable {
    private var ranges: [ClosedRange<UInt32>] = []

    mutating func append(_ scalar: Unicode.Scalar) {
        if let last = ranges.last, last.upperBound + 1 == scalar.value {
            ranges[ranges.count - 1] = last.lowerBound...scalar.value
        } else {
            ranges.append(scalar.value...scalar.value)
        }
    }

    mutating func append(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    /// The ranges as they stand between brackets.
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
