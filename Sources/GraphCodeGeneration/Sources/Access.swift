// Access levels of Swift declarations. Read from sources by SourceReader, used by AccessorWriter.

/// The visibility of a declaration.
package enum Access: Int, Comparable, Sendable {
    case `private`
    case `fileprivate`
    case `internal`
    case package
    case `public`
    case open

    package init?(keyword: String) {
        switch keyword {
        case "private": self = .private
        case "fileprivate": self = .fileprivate
        case "internal": self = .internal
        case "package": self = .package
        case "public": self = .public
        case "open": self = .open
        default: return nil
        }
    }

    package static func < (lhs: Access, rhs: Access) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Whether the declaration is private to its file: its linker name then has a discriminator.
    package var isFileLocal: Bool { self <= .fileprivate }
}
