// A message that may hide some of its values: the literal that Logger's methods take.
#if !canImport(os)
    import Foundation

    /// A log message.
    public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
        /// The message as logged.
        let text: String

        /// Creates a message without values.
        ///
        /// - Parameter value: Its text.
        public init(stringLiteral value: String) { text = value }

        /// Creates a message with values.
        ///
        /// - Parameter stringInterpolation: Its parts.
        public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
    }

    /// The parts of a log message.
    public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
        private(set) var text = ""

        /// Creates a message without parts.
        ///
        /// - Parameters:
        ///   - literalCapacity: The length of its texts.
        ///   - interpolationCount: The number of its values.
        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Adds a text.
        ///
        /// - Parameter literal: The text.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a value, which is hidden unless it is public.
        ///
        /// - Parameters:
        ///   - value: The value.
        ///   - align: Its alignment.
        ///   - privacy: Its visibility.
        @_disfavoredOverload
        public mutating func appendInterpolation<T>(
            _ value: T,
            align: OSLogStringAlignment = .none,
            privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.shown("\(value)", isNumber: value is any Any.Type || value is StaticString))
        }

        /// Adds an integer.
        ///
        /// - Parameters:
        ///   - value: The number.
        ///   - format: Its format.
        ///   - align: Its alignment.
        ///   - privacy: Its visibility.
        public mutating func appendInterpolation(
            _ value: some BinaryInteger,
            format: OSLogIntegerFormatting = .decimal,
            align: OSLogStringAlignment = .none,
            privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.shown(format.text(value), isNumber: true))
        }

        /// Adds a floating-point number.
        ///
        /// - Parameters:
        ///   - value: The number.
        ///   - format: Its format.
        ///   - align: Its alignment.
        ///   - privacy: Its visibility.
        public mutating func appendInterpolation(
            _ value: some BinaryFloatingPoint,
            format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none,
            privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.shown(format.text(value), isNumber: true))
        }

        /// Adds a Boolean.
        ///
        /// - Parameters:
        ///   - value: The Boolean.
        ///   - format: Its format.
        ///   - privacy: Its visibility.
        public mutating func appendInterpolation(
            _ value: Bool,
            format: OSLogBoolFormat = .truth,
            privacy: OSLogPrivacy = .auto
        ) {
            let words = format == .truth ? ("true", "false") : ("yes", "no")
            text += privacy.shown(value ? words.0 : words.1, isNumber: true)
        }
    }
#endif
