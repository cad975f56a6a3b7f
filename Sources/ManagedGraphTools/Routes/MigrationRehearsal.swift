// Tries a migration on a copy and reports its effect on each object. Called by the command `migrate --dry-run` and by
// tests with stores of past versions. The store itself is only read.
import Foundation
import GraphModel
import GraphSQLite
import ManagedGraph

/// Tries migrations on copies.
package struct MigrationRehearsal {
    /// Migrates a copy of a store and compares both.
    ///
    /// O(n) objects; a few hundred are in memory at a time.
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
