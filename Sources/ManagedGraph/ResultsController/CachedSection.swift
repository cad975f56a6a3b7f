// The cache file of a results controller, as a value. Beside `SectionCacheFile`.
import Foundation
import GraphArchives

/// A section in the cache.
struct CachedSection: Equatable {
    var name: String
    var count: Int
    var indexTitle: String?
}
