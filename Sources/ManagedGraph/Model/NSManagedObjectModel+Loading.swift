// Models from schemas and from files.
import Foundation
import GraphModel
import GraphModelFiles

extension NSManagedObjectModel {
    /// Makes a model from its schema.
    ///
    /// - Parameter model: The schema.
    /// - Throws: `ModelDefect` with entity and property, for a schema that cannot be used.
    package convenience init(_ model: Model) throws {
        self.init()
        var builder = ModelBuilder(model)
        try builder.build(into: self)
    }

    /// Reads a model from a file: a `.xcdatamodel` or `.mom`, or the current version of a `.xcdatamodeld` or `.momd`.
    ///
    /// Nil if it cannot be read; `init(readingFrom:)` throws the reason.
    ///
    /// - Parameter url: The file.
    public convenience init?(contentsOf url: URL) {
        try? self.init(schemaAt: url)
    }

    /// Reads a model from a file, and throws the reason if it cannot be read.
    ///
    /// - Parameter url: A `.xcdatamodel`, its `contents`, a `.mom`, or a `.xcdatamodeld` or `.momd`, of which the
    ///   current version is taken.
    /// - Throws: An error that names the file, the entity and the property. Flaws that Apple's compiler accepts are no
    ///   errors: a default value that is none counts as 0, false or nil, and a stored fetch request that names a
    ///   missing property fails when it is fetched with. `managedgraph model check` reports them.
    public convenience init(readingFrom url: URL) throws {
        try self.init(schemaAt: url)
    }

    /// Reads a model as a container finds it: a request that cannot be made is an error when it is fetched with.
    convenience init(schemaAt url: URL) throws {
        try self.init(Self.readSchema(at: url))
        origin = url
    }

    private static func readSchema(at url: URL) throws -> Model {
        guard ModelFinder.kindsOfFolders.contains(url.pathExtension) else { return try ModelFile.readModel(at: url) }
        // The other versions are for migrations: a broken one does not matter here.
        let list = try ModelFile.listVersions(at: url)
        guard let current = list.version(named: nil) else {
            throw ModelDefect(reason: "\(url.path): the current version \(list.currentName) is not in the model")
        }
        return try ModelFile.examine(current, of: list).model
    }

    /// Every version in a `.xcdatamodeld` or `.momd`, by its name.
    ///
    /// - Parameter url: The folder.
    /// - Returns: The versions in the order of the file.
    /// - Throws: An error that names the file, the entity and the property.
    package static func versions(at url: URL) throws -> [(name: String, model: NSManagedObjectModel)] {
        try ModelFile.readVersionedModel(at: url).versions.map { version in
            (name: version.name, model: try NSManagedObjectModel(version.model))
        }
    }
}
