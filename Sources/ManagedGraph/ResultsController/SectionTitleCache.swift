import Synchronization

/// The index titles of controllers with a cache name, kept in memory for the controllers of the same name to come.
enum SectionTitleCache {
    private static let titles = Mutex<[String: [String: String]]>([:])

    /// The title of a section, if a controller with this cache name has asked for it before.
    static func title(forSection section: String, cache: String) -> String? {
        titles.withLock { $0[cache]?[section] }
    }

    static func setTitle(_ title: String, forSection section: String, cache: String) {
        titles.withLock { $0[cache, default: [:]][section] = title }
    }

    /// Forgets the titles of one cache, or of all.
    static func delete(_ cache: String?) {
        titles.withLock { titles in
            if let cache { titles[cache] = nil } else { titles = [:] }
        }
    }
}
