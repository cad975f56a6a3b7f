// The parts of a path, as NSString's properties of these names have them. Foundation's own stop the program for some
// paths outside Apple's platforms, such as those of one character. Used by KeyReader.

/// A text as a path with slashes.
struct TextPath {
    private let root: String
    private let components: [String]

    init(_ path: String) {
        root = path.unicodeScalars.first == "/" ? "/" : ""
        components = path.unicodeScalars.split(separator: "/").map { String($0) }
    }

    /// The last component; `/` for the root.
    var lastPathComponent: String { components.last ?? root }

    /// The characters after the last dot of the last component; empty if that is its first character.
    var pathExtension: String {
        guard let last = components.last, let dot = Self.dot(in: last) else { return "" }
        return String(last.unicodeScalars[dot...].dropFirst())
    }

    /// The path without the extension and its dot.
    var deletingPathExtension: String {
        guard let last = components.last, let dot = Self.dot(in: last) else { return path(components) }
        return path(components.dropLast() + [String(last.unicodeScalars[..<dot])])
    }

    /// The path without its last component.
    var deletingLastPathComponent: String { path(components.dropLast()) }

    private func path(_ components: some Sequence<String>) -> String { root + components.joined(separator: "/") }

    private static func dot(in component: String) -> String.Index? {
        let scalars = component.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return nil }
        return dot
    }
}
