// The text orders of sort selectors. Used by sort descriptors in memory and, as collations, by SQL.

import Foundation

/// An order of texts, named by the selector of a sort descriptor.
package enum TextSort: String, CaseIterable, Sendable {
    /// By Unicode scalar values.
    case plain = "compare:"
    /// The plain order of the case-folded texts.
    case caseInsensitive = "caseInsensitiveCompare:"
    /// The order of the user's language.
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    /// As in file managers: ignores case and width, and orders numbers by value.
    case localizedStandard = "localizedStandardCompare:"

    /// The order of two texts.
    package static func compare(_ a: String, _ b: String, _ order: TextSort) -> ComparisonResult {
        var (first, second) = (a, b)
        let quick = first.withUTF8 { firstBytes in
            second.withUTF8 { secondBytes in compareQuickly(firstBytes, secondBytes, order) }
        }
        return quick ?? compareInGeneral(a, b, order)
    }

    /// The order of two texts in UTF-8.
    package static func compare(
        _ a: UnsafeBufferPointer<UInt8>,
        _ b: UnsafeBufferPointer<UInt8>,
        _ order: TextSort
    ) -> ComparisonResult {
        compareQuickly(a, b, order)
            ?? compareInGeneral(String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self), order)
    }

    /// The order from the bytes of two texts; nil if they are not sufficient.
    @inline(__always)
    private static func compareQuickly(
        _ a: UnsafeBufferPointer<UInt8>,
        _ b: UnsafeBufferPointer<UInt8>,
        _ order: TextSort
    ) -> ComparisonResult? {
        switch order {
        case .plain: TextOrder.compare(a, b)
        case .caseInsensitive: TextFolding.letters(.caseInsensitive).compare(a, b)
        case .localized, .localizedCaseInsensitive, .localizedStandard: LocalizedOrder.current?.compare(a, b, order)
        }
    }

    /// The order of two texts by its definition.
    package static func compareInGeneral(_ a: String, _ b: String, _ order: TextSort) -> ComparisonResult {
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
