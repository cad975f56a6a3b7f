// The kinds of files in collections, and the places in which collections keep them.

package enum FileKind: Sendable, CaseIterable {
    /// The text of a model: the `contents` of an `.xcdatamodel`.
    case model
    /// A folder of versions, `.xcdatamodeld`.
    case versionedModel
    /// The `elements` of an `.xcdatamodel` of Xcode 3.
    case oldModel
    /// A compiled version, `.mom`.
    case compiledModel
    /// The `VersionInfo.plist` of a `.momd`.
    case versionList
    /// A model that was cached in a store, inflated.
    case cachedModel
    /// An `.xcmappingmodel`.
    case mapping
    /// A compiled mapping model, `.cdm`.
    case compiledMapping
    /// A SQLite store, without its log.
    case sqliteStore
    /// An XML store.
    case xmlStore
    /// A binary store.
    case binaryStore

    /// The folder of this kind in a large collection, and the end of the files' names.
    var place: (folder: String, ending: String) {
        switch self {
        case .model: ("models", ".xcdatamodel/contents")
        case .versionedModel: ("models", ".xcdatamodeld")
        case .oldModel: ("legacy", ".xcdatamodel/elements")
        case .compiledModel: ("compiled", ".mom")
        case .versionList: ("compiled", "/VersionInfo.plist")
        case .cachedModel: ("derived", ".modelcache.plist")
        case .mapping: ("mappings", ".xcmappingmodel")
        case .compiledMapping: ("mappings", ".cdm")
        case .sqliteStore, .xmlStore, .binaryStore: ("stores", "")
        }
    }

    /// Whether files of this kind are stores: each one is a file of a collection's folder for stores, with any name.
    var isStore: Bool { place.folder == "stores" }

    /// The first bytes of each file of this kind; empty if names identify the files.
    var beginning: String {
        switch self {
        case .sqliteStore: "SQLite format 3"
        case .xmlStore: "<?xml"
        case .binaryStore: "CoreData"
        default: ""
        }
    }
}
