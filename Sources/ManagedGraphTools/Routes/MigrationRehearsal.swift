// A migration tried on a copy, and what it did to each object. Called by the command `migrate --dry-run` and by tests with stores
// of past versions. The store itself is only read.
import Foundation
import GraphModel
import GraphSQLite
import ManagedGraph

/// What a rehearsal of a migration found.
package struct RehearsalReport: Sendable {
    /// What became of one entity's objects.
    package struct Entity: Sendable {
        /// Nil where the entity is new.
        package var source: String?
        /// Nil where the entity is gone.
        package var destination: String?
        package var before: Int
        package var after: Int
        /// Objects that look otherwise than before, those that are gone included.
        package var changed: Int
        /// Objects that nothing has become of: the entity is gone, or a mapping model leaves them out.
        package var gone = 0
    }

    package var from: String
    package var to: String
    package var steps: [(from: String, to: String, mapping: String?)] = []
    package var entities: [Entity] = []
    /// What should not have happened: objects lost, values changed that nobody asked to.
    package var problems: [String] = []
    /// Objects that break rules of the new version.
    package var broken: [String] = []
}

/// One object before and after.
package struct ObjectDifference: Sendable {
    /// One property.
    package struct Change: Sendable {
        package enum Kind: String, Sendable { case added, dropped, changed }

        package var kind: Kind
        package var property: String
        package var old: String?
        package var new: String?
    }

    /// The entity it has, or had where it is gone.
    package var entity: String
    package var source: String?
    package var destination: String?
    package var changes: [Change]
}

/// Tries migrations on copies.
package struct MigrationRehearsal {
    /// Migrates a copy of a store and compares both.
    ///
    /// O(n) objects; some hundreds are in memory at a time.
    ///
    /// - Parameters:
    ///   - url: The store; it is only read.
    ///   - versions: The versions, and the one to go to.
    ///   - progress: Told how much of the migration is done, from 0 to 1.
    ///   - difference: Called with each object that differs, entity by entity, in the order of the keys.
    ///   - isWanted: Asked while statements run; where it says no, the rehearsal ends.
    /// - Returns: What was found.
    /// - Throws: As `MigrationRun.run`.
    package static func rehearse(
        _ url: URL,
        to versions: MigrationVersions,
        progress: (Double) throws -> Void = { _ in },
        difference: (ObjectDifference) throws -> Void,
        isWanted: (() -> Bool)? = nil
    ) throws -> RehearsalReport {
        let source = try MigrationSource(url, versions: versions)
        let folder = FileManager.default.temporaryDirectory.appending(path: "rehearsal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: url.lastPathComponent)
        try source.copy(to: copy, linksFiles: true)
        let links = MigrationLinks()
        let route = try MigrationRun.run(
            copy,
            to: versions,
            backup: nil,
            links: links,
            isWanted: isWanted,
            progress: progress
        )
        var report = RehearsalReport(from: source.version.name, to: source.versions.destination.name)
        report.steps = route.hops.map { ($0.source.name, $0.destination.name, $0.mappingName) }
        var comparison = MigrationComparison(
            source: source,
            mapping: try route.composed(from: source.version),
            links: links,
            keepsAll: !route.makesObjects,
            report: report
        )
        try comparison.run(copy, difference)
        return comparison.report
    }

    /// Compares a store with a copy of it that was migrated in whatever way.
    ///
    /// O(n) objects.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - copy: The copy, which has the version that the store is to have.
    /// - Returns: What was found; where the models alone say what became of what, object by object, else what was counted.
    /// - Throws: What reading the stores throws.
    package static func compare(_ source: MigrationSource, with copy: URL) throws -> RehearsalReport {
        let (from, to) = (source.version.model, source.versions.destination.model)
        let (old, new) = (from.versionHashes(), to.versionHashes())
        let isMapped = source.versions.mappings.contains { $0.file.fits(old, new) }
        let mapping = isMapped ? nil : try? MappingInference.infer(from: from, to: to)
        let links = MigrationLinks()
        if let mapping { links.add(mapping) }
        var comparison = MigrationComparison(
            source: source,
            mapping: mapping,
            links: links,
            keepsAll: true,
            report: RehearsalReport(from: source.version.name, to: source.versions.destination.name)
        )
        try comparison.run(copy) { _ in }
        return comparison.report
    }
}

extension MigrationHop {
    /// The mapping model's file; nil for a step that is inferred.
    package var mappingName: String? {
        if case .mapping(let mapping) = means { mapping.name } else { nil }
    }
}
