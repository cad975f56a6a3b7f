// Migrations of stores to other versions of a model: planned, rehearsed and run. Called by the studio; the tools of the
// command `managedgraph migrate` do the work. The results are values that encode as JSON.
import Foundation
import ManagedGraph
import ManagedGraphTools

/// The migration of one store to another version of its model.
public struct StoreMigration: Sendable {
    /// The store.
    public let store: URL
    /// The names of the model's versions.
    public let versionNames: [String]
    /// The name of the version to migrate to.
    public let destination: String
    /// The messages of models and mapping models that cannot be read.
    public let unreadable: [String]
    private let versions: MigrationVersions

    /// Finds the versions of a model and the mapping models beside it; the store is not read yet.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - model: The model, with all its versions.
    ///   - version: The version to migrate to; the current one if nil.
    ///   - places: Models, mapping models and folders in which the store's version is searched for.
    /// - Throws: An error if the model or the version is missing, with a remedy.
    public init(_ store: URL, to model: URL, version: String? = nil, searching places: [URL] = []) throws {
        self.store = store
        versions = try MigrationVersions(at: model, version: version, searching: places)
        versionNames = versions.versions.map(\.name)
        destination = versions.destination.name
        unreadable = versions.unreadable.map { "\($0)" }
    }

    /// Plans the migration; nothing is written.
    ///
    /// O(rows) for entities with new rules.
    ///
    /// - Returns: The steps and their effects, or the reasons why there is no way.
    /// - Throws: 134130 if the store's version is not found, and errors of reading the store.
    public func plan() throws -> Plan {
        Plan(try MigrationForecaster.forecast(store, to: versions))
    }

    /// Migrates a copy in the temporary folder, and compares each object; the store is only read.
    ///
    /// - Parameters:
    ///   - progress: Called with the completed fraction of the copy's migration, from 0 to 1.
    ///   - difference: Called with each object that differs, entity by entity.
    ///   - isWanted: Called while statements run; the rehearsal ends if it returns false.
    /// - Returns: The findings.
    /// - Throws: The reason why the migration is impossible, and `CancellationError`.
    public func rehearse(
        progress: (Double) throws -> Void = { _ in },
        difference: (Difference) throws -> Void,
        isWanted: (() -> Bool)? = nil
    ) throws -> Rehearsal {
        let report = try MigrationRehearsal.rehearse(
            store,
            to: versions,
            progress: progress,
            difference: { try difference(Difference($0)) },
            isWanted: isWanted
        )
        return Rehearsal(report)
    }

    /// Migrates the store.
    ///
    /// The last step replaces it atomically, so that an interruption leaves the old one.
    ///
    /// - Parameters:
    ///   - backup: The place of a copy of the old store; no file may exist there.
    ///   - progress: Called with the completed fraction, from 0 to 1.
    ///   - isWanted: Called while statements run; the migration ends if it returns false.
    /// - Returns: The number of steps done; 0 if the store already had the version, and then there is no backup.
    /// - Throws: The reason why the migration is impossible or has failed, and `CancellationError`. The store is then
    ///   unchanged.
    public func run(
        backup: URL?,
        progress: (Double) throws -> Void = { _ in },
        isWanted: (() -> Bool)? = nil
    ) throws -> Int {
        try MigrationRun.run(store, to: versions, backup: backup, progress: progress, isWanted: isWanted).hops.count
    }
}
