// The options of comparisons of texts.
import Foundation

/// The letters in brackets after an operator; raw values are Apple's, except for locale sensitivity.
package struct ComparisonOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    package static let normalized = ComparisonOptions(rawValue: 4)
    package static let localeSensitive = ComparisonOptions(rawValue: 8)
}
