// Predicates: as text, and in archives.
import Foundation
import GraphArchives
import GraphPredicates
import ManagedGraph

extension FuzzTarget {
    static let formats = [
        FuzzTarget("format", dictionary: "format", seeds: { try SeedFiles.formats() }) { data in
            FormatPromises.check(String(decoding: data, as: UTF8.self))
        },
        FuzzTarget(
            "predicate-archive",
            dictionary: "archive",
            seeds: {
                let formats = try SeedFiles.lines("formats.txt").prefix(60).map { String(decoding: $0, as: UTF8.self) }
                let archives = formats.compactMap { format -> Data? in
                    guard let predicate = try? NSPredicate(validating: format) else { return nil }
                    return try? NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
                }
                return try archives + SeedFiles.fixtures("Predicates.archive", "SortDescriptors.archive")
            }
        ) { data in
            // The reader of expressions in mapping models; that of models is called for compiled models.
            guard let expression = NSPropertyMapping.decoded(data) else { return }
            _ = expression.description
        },
    ]
}
