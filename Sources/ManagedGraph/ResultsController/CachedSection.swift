// A section in the cache file of a results controller.
import Foundation
import GraphArchives

/// A section in the cache.
struct CachedSection: Equatable {
    var name: String
    var count: Int
    var indexTitle: String?
}
