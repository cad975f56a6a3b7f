// The matcher of MATCHES: a regular expression that must match the whole text. Compiled expressions are cached, since
// few patterns match many texts. Used by TextMatcher, and by ShapeBuilder to reject a pattern before a fetch.

import Foundation
import Synchronization

package enum RegularExpressions {
    private static let maximumKept = 200
    private static let cache = Mutex<[Key: Compiled]>([:])

    /// The reports of progress after which the matching of a text is given up: about a third of a second.
    ///
    /// Some patterns would take years. NSRegularExpression gives up after twice as many, and finds no match then.
    private static let limit = 2_000

    private struct Key: Hashable {
        let pattern: ExactText
        let options: UInt
    }

    /// A compiled pattern that matches whole texts.
    package struct Compiled: @unchecked Sendable {
        // NSRegularExpression is immutable and documented as thread-safe.
        private let expression: NSRegularExpression
        private let options: ComparisonOptions
        /// The automaton, used if its answer is certain; nil if only NSRegularExpression supports the pattern.
        let quick: ASCIIExpression?

        init(_ pattern: String, _ options: ComparisonOptions) throws {
            let diacritics = options.intersection(.diacriticInsensitive)
            let plain = TextFolding.fold(pattern, diacritics)
            let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
            // Compile the bare pattern first: the added group must not make `a)|(b` valid.
            guard (try? NSRegularExpression(pattern: plain, options: flags)) != nil,
                let expression = try? NSRegularExpression(pattern: "\\A(?:" + plain + ")\\z", options: flags)
            else { throw EvaluationError.badPattern(pattern) }
            self.expression = expression
            self.options = diacritics
            quick = ASCIIExpression(plain, ignoresCase: options.contains(.caseInsensitive))
        }

        /// Whether a text matches; nil if that takes too long.
        package func matches(_ text: String) -> Bool? {
            let subject = TextFolding.fold(text, options)
            let range = NSRange(location: 0, length: subject.utf16.count)
            var (answer, reports): (Bool?, Int) = (false, 0)
            expression.enumerateMatches(in: subject, options: .reportProgress, range: range) { result, flags, stop in
                if result != nil {
                    answer = true
                } else {
                    if flags.contains(.progress) { reports += 1 }
                    guard reports > RegularExpressions.limit else { return }
                    answer = nil
                }
                stop.pointee = true
            }
            return answer
        }
    }

    /// The compiled form of a pattern.
    ///
    /// - Throws: `EvaluationError.badPattern`.
    package static func compiled(_ pattern: String, options: ComparisonOptions) throws -> Compiled {
        let key = Key(pattern: ExactText(pattern), options: options.rawValue)
        if let cached = cache.withLock({ $0[key] }) { return cached }
        let compiled = try Compiled(pattern, options)
        cache.withLock { cache in
            if cache.count >= maximumKept { cache.removeAll() }
            cache[key] = compiled
        }
        return compiled
    }
}
