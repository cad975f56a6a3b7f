// Lists of predicates: those of Tests/Fixtures, written from the documented grammar, and, if they are beside the
// repository, those collected from public code.
import CollectionSupport
import Foundation

enum Material {
    /// The entries of a list of all collections.
    static func list(_ name: String) throws -> [[String: Any]] {
        try [Collections.fixtures, Collections.reports].compactMap(\.self).flatMap { collection in
            try JSONSerialization.jsonObject(with: collection.file(name).data()) as? [[String: Any]] ?? []
        }
    }

    /// The number of entries that a test must find at least.
    static func least(_ reports: Int, fixtures: Int) -> Int { fixtures + (Collections.reports == nil ? 0 : reports) }
}
