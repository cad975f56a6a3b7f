/// The reason that a file cannot be used as a store, or that a store's own tables are invalid.
package struct StoreFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case exists, empty, foreign, damaged, metadata
    }

    package var kind: Kind
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}
