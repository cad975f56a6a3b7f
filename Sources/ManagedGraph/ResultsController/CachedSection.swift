/// A section in the cache file of a results controller.
struct CachedSection: Equatable {
    var name: String
    var count: Int
    var indexTitle: String?
}
