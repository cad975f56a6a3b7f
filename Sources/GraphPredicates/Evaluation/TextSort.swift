// The orders of texts that sort selectors name. Used by sort descriptors in memory and, as collations, by SQL.

import Foundation

/// An order of texts, named after the selector of a sort descriptor.
package enum TextSort: String, CaseIterable, Sendable {
    /// By Unicode scalar values.
    case plain = "compare:"
    /// The plain order of the texts without regard to case.
    case caseInsensitive = "caseInsensitiveCompare:"
    /// The order of the user's language.
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    /// As file managers list names: without regard to case and width, numbers by their value.
    case localizedStandard = "localizedStandardCompare:"

    /// The order of two texts.
    package static func compare(_ a: String, _ b: String, _ order: TextSort) -> ComparisonResult {
        switch order {
        case .plain: return TextOrder.compare(a, b)
        case .caseInsensitive:
            return TextOrder.compare(
                TextFolding.fold(a, caseInsensitive: true, diacriticInsensitive: false),
                TextFolding.fold(b, caseInsensitive: true, diacriticInsensitive: false)
            )
        case .localized: return a.localizedCompare(b)
        case .localizedCaseInsensitive: return a.localizedCaseInsensitiveCompare(b)
        case .localizedStandard: return a.localizedStandardCompare(b)
        }
    }
}
