// The orders of texts that sort selectors ask for, as collations. Registered on every connection by the store.
import Foundation
import GraphPredicates

/// All collations that translated statements may name.
package enum SQLCollations {
    package static let all: [SQLCollation] = TextSort.allCases.compactMap { order in
        name(of: order).map { name in
            SQLCollation(name: name) { TextSort.compare($0, $1, order).rawValue }
        }
    }

    /// The collation that sorts so; nil for the order that SQLite has without one.
    static func name(of order: TextSort) -> String? {
        switch order {
        // Plain order is SQLite's own.
        case .plain: nil
        case .caseInsensitive: "NSCollateNoCase"
        case .localized: "NSCollateLocaleSensitive"
        case .localizedCaseInsensitive: "NSCollateLocaleSensitiveNoCase"
        case .localizedStandard: "NSCollateFinderlike"
        }
    }
}
