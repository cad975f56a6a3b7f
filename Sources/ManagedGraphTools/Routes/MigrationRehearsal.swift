// Tries a migration on a copy and reports its effect on each object. Called by the command `migrate --dry-run` and by
// tests with stores of past versions. The store itself is only read: a file is copied into the temporary folder, a store
// in a database into a schema beside it.
import Foundation
import GraphModel
import GraphSQLite
import ManagedGraph

/// Tries migrations on copies.
package struct MigrationRehearsal {
    /// Migrates a copy of a store and compares both.
    ///
    /// O(n) objects; a few hundred are in memory at a time. The copy of a store in a database is of one snapshot, with
    /// which it is compared; other programs continue meanwhile.
    ///
    /// - Parameters:
    ///   - url: The store; it is only read.
    ///   - versions: The versions, including the destination.
    ///   - progress: Called with the completed fraction of the migration, from 0 to 1.
    ///   - difference: Called with each object that differs, entity by entity, in the order of the keys.
    ///   - isWanted: Called while statements run; the rehearsal ends if it returns false.
    /// - Returns: The findings.
    /// - Throws: The errors of `MigrationRun.run`.
    package static func rehearse(
        _ url: URL,
        to versions: MigrationVersions,
        progress: (Double) throws -> Void = { _ in },
        difference: (ObjectDifference) throws -> Void,
        isWanted: (() -> Bool)? = nil
    ) throws -> RehearsalReport {
        var source = try MigrationSource(url, versions: versions)
        let rehearsal = MigrationRehearsal(versions: versions, isWanted: isWanted)
        if var database = source.database {
            database.isWanted = isWanted
            var report: RehearsalReport?
            do {
                try CoreDataError.mapping(url) {
                    try database.rehearse(at: url) { copy, snapshot in
                        source.snapshot = snapshot
                        report = try rehearsal.run(source, on: copy, progress, difference)
                    }
                }
            } catch {
                if isWanted?() == false { throw CancellationError() }
                throw error
            }
            return report ?? RehearsalReport(from: source.version.name, to: source.versions.destination.name)
        }
        let folder = try ScratchFolders.make("rehearsal-")
        defer { ScratchFolders.remove(folder) }
        let copy = URL(filePath: folder).appending(path: url.lastPathComponent)
        try source.copy(to: copy, linksFiles: true)
        return try rehearsal.run(source, on: copy, progress, difference)
    }

    private let versions: MigrationVersions
    private let isWanted: (() -> Bool)?

    /// Migrates the copy of a store, and compares the two.
    private func run(
        _ source: MigrationSource,
        on copy: URL,
        _ progress: (Double) throws -> Void,
        _ difference: (ObjectDifference) throws -> Void
    ) throws -> RehearsalReport {
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

    /// Compares a store with a copy of it that has been migrated by any means.
    ///
    /// O(n) objects.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - copy: The copy, which has the destination version.
    /// - Returns: The findings, object by object if the models alone determine the mapping, otherwise counts.
    /// - Throws: Errors of reading the stores.
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
    /// The mapping model's file; nil for an inferred step.
    package var mappingName: String? {
        if case .mapping(let mapping) = means { mapping.name } else { nil }
    }
}
