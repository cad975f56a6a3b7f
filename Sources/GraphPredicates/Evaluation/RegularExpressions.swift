// The matcher of MATCHES: a regular expression that must cover the whole text. Compiled expressions are kept, since
// patterns are few and texts many. Used by the evaluator and, as a function, by SQL.

import Foundation
import Synchronization

package enum RegularExpressions {
    private static let maximumKept = 200
    private static let kept = Mutex<[Key: Compiled]>([:])

    private struct Key: Hashable {
        let pattern: ExactText
        let options: UInt
    }

    /// A compiled pattern for whole texts.
    package struct Compiled: @unchecked Sendable {
        // NSRegularExpression is immutable and documented to be usable from several threads.
        private let expression: NSRegularExpression
        private let options: ComparisonOptions
        /// The expression for texts that it is certain of; nil if it has parts that only NSRegularExpression knows.
        let quick: ASCIIExpression?

        init(_ pattern: String, _ options: ComparisonOptions) throws {
            let diacritics = options.intersection(.diacriticInsensitive)
            let plain = TextFolding.fold(pattern, diacritics)
            let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
            // The pattern alone is tried first: `a)|(b` must not become valid by what is put around it.
            guard (try? NSRegularExpression(pattern: plain, options: flags)) != nil,
                let expression = try? NSRegularExpression(pattern: "\\A(?:" + plain + ")\\z", options: flags)
            else { throw EvaluationError.badPattern(pattern) }
            self.expression = expression
            self.options = diacritics
            quick = ASCIIExpression(plain, ignoresCase: options.contains(.caseInsensitive))
        }

        package func matches(_ text: String) -> Bool {
            let subject = TextFolding.fold(text, options)
            let range = NSRange(location: 0, length: subject.utf16.count)
            return expression.firstMatch(in: subject, options: [], range: range) != nil
        }
    }

    /// The compiled form of a pattern.
    ///
    /// - Throws: `EvaluationError.badPattern`.
    package static func compiled(_ pattern: String, options: ComparisonOptions) throws -> Compiled {
        let key = Key(pattern: ExactText(pattern), options: options.rawValue)
        if let found = kept.withLock({ $0[key] }) { return found }
        let made = try Compiled(pattern, options)
        kept.withLock { kept in
            if kept.count >= maximumKept { kept.removeAll() }
            kept[key] = made
        }
        return made
    }
}
