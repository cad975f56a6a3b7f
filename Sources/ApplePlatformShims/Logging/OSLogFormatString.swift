// Apple's format strings for log messages: those of C with a privacy annotation for each value. Used by os_log.
#if !canImport(os)
    import Foundation

    /// Formats messages.
    enum OSLogFormat {
        /// Formats values.
        ///
        /// - Parameters:
        ///   - format: Text with directives such as `%{public}@`, `%ld`, `%.2f` and `%%`.
        ///   - arguments: The values, in order.
        ///   - showsPrivate: Whether to show hidden values anyway.
        /// - Returns: The text; a directive without a value is left unchanged.
        static func text(_ format: String, _ arguments: [Any?], showsPrivate: Bool = OSLogPrivacy.showsPrivate)
            -> String
        {
            var result = ""
            var values = arguments[...]
            var rest = Substring(format)
            while let percent = rest.firstIndex(of: "%") {
                result += rest[..<percent]
                guard let directive = Directive(rest[percent...]) else {
                    result += "%"
                    rest = rest[rest.index(after: percent)...]
                    continue
                }
                rest = rest[percent...].dropFirst(directive.length)
                if directive.conversion == "%" {
                    result += "%"
                } else if directive.conversion == "m" {
                    result += String(cString: strerror(errno))
                } else if let value = values.popFirst() {
                    result += directive.text(value, showsPrivate)
                } else {
                    result += directive.source
                }
            }
            return result + rest
        }

        /// One directive of a format.
        private struct Directive {
            var source: String
            var notes: [Substring] = []
            /// Flags, width and precision.
            var layout = ""
            var conversion: Character = "%"

            var length: Int { source.count }

            init?(_ text: Substring) {
                var rest = text.dropFirst()
                if rest.first == "{" {
                    guard let end = rest.firstIndex(of: "}") else { return nil }
                    let words = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",")
                    notes = words.map { $0.drop { $0 == " " } }
                    rest = rest[rest.index(after: end)...]
                }
                while let next = rest.first, "+-# 0123456789.'".contains(next) {
                    layout.append(rest.removeFirst())
                    if next == "'" { layout.removeLast() }
                }
                while let next = rest.first, "hlLqztj".contains(next) { rest.removeFirst() }
                guard let last = rest.first else { return nil }
                conversion = last
                source = String(text[..<rest.index(after: rest.startIndex)])
            }

            func text(_ value: Any?, _ showsPrivate: Bool) -> String {
                let number = value as? any BinaryInteger
                let isNumber = !"@sSP".contains(conversion)
                var privacy = OSLogPrivacy.auto
                for note in notes {
                    switch note {
                    case "public": privacy = .public
                    case "private": privacy = .private
                    case "sensitive": privacy = .sensitive
                    case "mask.hash": privacy = .private(mask: .hash)
                    default: break
                    }
                }
                return privacy.shown(plain(value, number), isNumber: isNumber, showsPrivate: showsPrivate)
            }

            private func plain(_ value: Any?, _ number: (any BinaryInteger)?) -> String {
                guard let value else { return "(null)" }
                let whole = number.map { Int64(truncatingIfNeeded: $0) } ?? (value as? NSNumber)?.int64Value
                if notes.contains("bool") || notes.contains("BOOL"), let whole {
                    return notes.contains("bool") ? (whole == 0 ? "false" : "true") : (whole == 0 ? "NO" : "YES")
                }
                switch conversion {
                case "d", "i", "D":
                    if let whole { return String(format: "%\(layout)lld", whole) }
                case "u", "U", "x", "X", "o", "O":
                    let letter = conversion.lowercased() == "x" ? String(conversion) : conversion.lowercased()
                    if let whole { return String(format: "%\(layout)ll\(letter)", whole) }
                case "f", "F", "e", "E", "g", "G", "a", "A":
                    let real =
                        (value as? any BinaryFloatingPoint).map { Double($0) } ?? (value as? NSNumber)?.doubleValue
                    if let real { return String(format: "%\(layout)\(conversion)", real) }
                case "c", "C":
                    if let whole, let scalar = UnicodeScalar(UInt32(truncatingIfNeeded: whole)) {
                        return String(scalar)
                    }
                case "s", "S":
                    if let pointer = value as? UnsafePointer<CChar> { return String(cString: pointer) }
                default: break
                }
                return "\(value)"
            }
        }
    }
#endif
