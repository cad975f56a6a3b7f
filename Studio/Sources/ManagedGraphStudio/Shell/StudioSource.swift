// The sources of the studio: files and running containers. Created by programs that embed the studio and by its command.
import CoreData
import Foundation
import GraphUpkeep

/// A file or a running container that the studio shows.
public struct StudioSource: Sendable {
    /// The kinds of sources.
    public enum Kind: Sendable {
        /// A model: `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`.
        case model(URL)
        /// A store in a file of any type, or in a PostgreSQL database; `writable` allows changes of its objects.
        case store(URL, writable: Bool)
        /// A running container with its stores, and the file of its model if the model may be edited.
        case container(NSPersistentContainer, modelFile: URL?)
    }

    /// Its name in addresses: lower-case letters, digits and hyphens, unique within the studio.
    public internal(set) var id: String
    /// The name shown to readers.
    public let title: String
    /// The kind of source.
    public let kind: Kind

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - title: The name shown to readers; addresses contain a name made of it.
    ///   - kind: The kind of source.
    public init(title: String, kind: Kind) {
        self.title = title
        self.kind = kind
        id = Self.slug(title)
    }

    /// Creates the source of a file or an address: a model if its extension is one of models', otherwise a store.
    ///
    /// - Parameters:
    ///   - file: The file, or the address of a database; it is not read yet.
    ///   - writable: Whether objects of a store may be changed.
    public init(file: URL, writable: Bool = false) {
        let isModel = ["xcdatamodeld", "xcdatamodel", "mom", "momd"].contains(file.pathExtension.lowercased())
        self.init(
            title: StoreAddress.name(file),
            kind: isModel && file.isFileURL ? .model(file) : .store(file, writable: writable)
        )
    }

    /// Creates the source of a running container.
    ///
    /// - Parameters:
    ///   - container: The container; its stores may be added later.
    ///   - title: The name shown to readers; the container's name if nil.
    ///   - modelFile: The model's `.xcdatamodeld`, if it may be edited.
    public init(_ container: NSPersistentContainer, title: String? = nil, modelFile: URL? = nil) {
        self.init(title: title ?? container.name, kind: .container(container, modelFile: modelFile))
    }

    /// Lower-case letters and digits, with hyphens in place of all else; never empty, never a name of the studio's own.
    private static func slug(_ title: String) -> String {
        let words = title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let slug = words.joined(separator: "-").prefix(48)
        return slug.isEmpty || ["api", "assets"].contains(slug) ? "source-\(slug)" : String(slug)
    }

    /// Returns the sources with unique names in addresses.
    static func named(_ sources: [StudioSource]) -> [StudioSource] {
        var identifiers: Set<String> = []
        return sources.map { source in
            var source = source
            let base = source.id
            var number = 2
            while !identifiers.insert(source.id).inserted {
                source.id = "\(base)-\(number)"
                number += 1
            }
            return source
        }
    }
}
