// Formats of numbers and columns in log messages. Used by OSLogInterpolation.
#if !canImport(os)
    import Foundation

    /// The format of an integer.
    public struct OSLogIntegerFormatting: Sendable {
        private let radix: Int
        private let minDigits: Int
        private let isUppercase: Bool
        private let hasPrefix: Bool
        private let hasPlus: Bool

        /// In decimal.
        public static var decimal: OSLogIntegerFormatting { decimal() }
        /// In hexadecimal.
        public static var hex: OSLogIntegerFormatting { hex() }
        /// In octal.
        public static var octal: OSLogIntegerFormatting { octal() }

        /// In decimal.
        ///
        /// - Parameters:
        ///   - explicitPositiveSign: Whether positive numbers have a plus sign.
        ///   - minDigits: The minimum number of digits, padded with zeros.
        /// - Returns: The format.
        public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
            .init(radix: 10, minDigits: minDigits, isUppercase: false, hasPrefix: false, hasPlus: explicitPositiveSign)
        }

        /// In hexadecimal.
        ///
        /// - Parameters:
        ///   - explicitPositiveSign: Whether positive numbers have a plus sign.
        ///   - includePrefix: Whether the number begins with `0x`.
        ///   - uppercase: Whether letters are uppercase.
        ///   - minDigits: The minimum number of digits, padded with zeros.
        /// - Returns: The format.
        public static func hex(
            explicitPositiveSign: Bool = false,
            includePrefix: Bool = false,
            uppercase: Bool = false,
            minDigits: Int = 0
        ) -> OSLogIntegerFormatting {
            .init(
                radix: 16,
                minDigits: minDigits,
                isUppercase: uppercase,
                hasPrefix: includePrefix,
                hasPlus: explicitPositiveSign
            )
        }

        /// In octal.
        ///
        /// - Parameters:
        ///   - explicitPositiveSign: Whether positive numbers have a plus sign.
        ///   - includePrefix: Whether the number begins with `0o`.
        ///   - minDigits: The minimum number of digits, padded with zeros.
        /// - Returns: The format.
        public static func octal(
            explicitPositiveSign: Bool = false,
            includePrefix: Bool = false,
            minDigits: Int = 0
        ) -> OSLogIntegerFormatting {
            .init(
                radix: 8,
                minDigits: minDigits,
                isUppercase: false,
                hasPrefix: includePrefix,
                hasPlus: explicitPositiveSign
            )
        }

        func text(_ value: some BinaryInteger) -> String {
            let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
            let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
            let prefix = hasPrefix ? (radix == 16 ? "0x" : radix == 8 ? "0o" : "") : ""
            return (value < 0 ? "-" : hasPlus ? "+" : "") + prefix + zeros + digits
        }
    }

    /// The format of a floating-point number.
    public struct OSLogFloatFormatting: Sendable {
        private let directive: String

        /// With a fixed number of decimal places, six.
        public static var fixed: OSLogFloatFormatting { fixed() }
        /// With an exponent.
        public static var exponential: OSLogFloatFormatting { exponential() }
        /// With an exponent if that is shorter.
        public static var hybrid: OSLogFloatFormatting { hybrid() }
        /// In hexadecimal.
        public static var hex: OSLogFloatFormatting { OSLogFloatFormatting(directive: "%a") }

        /// With a fixed number of decimal places.
        ///
        /// - Parameters:
        ///   - precision: The number of decimal places.
        ///   - explicitPositiveSign: Whether positive numbers have a plus sign.
        ///   - uppercase: Whether letters are uppercase.
        /// - Returns: The format.
        public static func fixed(precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false)
            -> OSLogFloatFormatting
        {
            make(precision, explicitPositiveSign, uppercase ? "F" : "f")
        }

        /// With an exponent.
        ///
        /// - Parameters:
        ///   - precision: The number of decimal places.
        ///   - explicitPositiveSign: Whether positive numbers have a plus sign.
        ///   - uppercase: Whether letters are uppercase.
        /// - Returns: The format.
        public static func exponential(precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false)
            -> OSLogFloatFormatting
        {
            make(precision, explicitPositiveSign, uppercase ? "E" : "e")
        }

        /// With an exponent if that is shorter.
        ///
        /// - Parameters:
        ///   - precision: The number of significant digits.
        ///   - explicitPositiveSign: Whether positive numbers have a plus sign.
        ///   - uppercase: Whether letters are uppercase.
        /// - Returns: The format.
        public static func hybrid(precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false)
            -> OSLogFloatFormatting
        {
            make(precision, explicitPositiveSign, uppercase ? "G" : "g")
        }

        private static func make(_ precision: Int, _ hasPlus: Bool, _ letter: String) -> OSLogFloatFormatting {
            OSLogFloatFormatting(directive: "%\(hasPlus ? "+" : "").\(max(0, precision))\(letter)")
        }

        func text(_ value: some BinaryFloatingPoint) -> String { String(format: directive, Double(value)) }
    }

    /// The format of a Boolean.
    public enum OSLogBoolFormat: Sendable {
        /// `true` or `false`.
        case truth
        /// `yes` or `no`.
        case answer
    }

    /// The alignment of a value in a column.
    public struct OSLogStringAlignment: Sendable {
        private let columns: Int
        private let isRight: Bool

        /// As wide as the value.
        public static let none = OSLogStringAlignment(columns: 0, isRight: false)

        /// Padded with spaces before the value.
        ///
        /// - Parameter columns: The minimum width.
        /// - Returns: The alignment.
        public static func right(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: true) }

        /// Padded with spaces after the value.
        ///
        /// - Parameter columns: The minimum width.
        /// - Returns: The alignment.
        public static func left(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: false) }

        func text(_ value: String) -> String {
            let spaces = String(repeating: " ", count: max(0, columns - value.count))
            return isRight ? spaces + value : value + spaces
        }
    }
#endif
