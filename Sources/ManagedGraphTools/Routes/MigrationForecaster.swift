// Forecasts a migration: the route, the effect on each entity and property, the SQL. The rows are examined in +Rows.
// Called by the command `migrate --plan`. It reads the store and writes nothing.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Forecasts migrations.
package struct MigrationForecaster {
    let source: MigrationSource

    /// Forecasts the migration of a store.
    ///
    /// O(rows) for entities with new rules, otherwise O(log rows) apart from counting.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - versions: The versions, including the destination.
    /// - Returns: The expected effects, or the reasons why there is no route.
    /// - Throws: 134130 if the store's version is not found, and errors of reading the store.
    package static func forecast(_ url: URL, to versions: MigrationVersions) throws -> MigrationForecast {
        let forecaster = MigrationForecaster(source: try MigrationSource(url, versions: versions))
        return try forecaster.forecast()
    }

    func forecast() throws -> MigrationForecast {
        var forecast = MigrationForecast(
            store: StoreLocation.shown(source.url),
            type: source.type,
            from: source.version.name,
            isOwnVersion: source.isOwnVersion,
            to: source.versions.destination.name,
            configuration: source.configuration
        )
        do {
            let route = try MigrationRoute.find(from: source.version, in: source.versions)
            for (number, hop) in route.hops.enumerated() { forecast.steps.append(try step(hop, isFirst: number == 0)) }
        } catch let impasse as MigrationRoute.Impasse {
            forecast.impasse = impasse.problems
        }
        return forecast
    }

    /// The entity numbers, tables and column defaults of the store.
    private func file() throws -> MigrationFile {
        guard let snapshotFile = source.snapshotFile else { return MigrationFile() }
        let connection = try snapshotFile.connection()
        defer { connection.close() }
        return try StoreMigration.file(connection)
    }

    /// The forecast of a step in a database; nil for a file.
    private func database(_ mapping: ModelMapping, _ hop: MigrationHop, isFirst: Bool) throws -> DatabaseForecast? {
        guard let database = source.database else { return nil }
        return try CoreDataError.mapping(source.url) {
            try database.forecast(
                mapping,
                from: hop.source.model,
                to: hop.destination.model,
                at: source.url,
                isLater: !isFirst
            )
        }
    }

    private func step(_ hop: MigrationHop, isFirst: Bool) throws -> MigrationForecast.Step {
        var step = MigrationForecast.Step(from: hop.source.name, to: hop.destination.name)
        switch hop.means {
        case .inferred(let mapping):
            let plan: MigrationPlan?
            if let forecast = try database(mapping, hop, isFirst: isFirst) {
                plan = forecast.plan
                step.statements = forecast.statements
                step.obstacles = forecast.obstacles
                step.failures = forecast.failures.map(failure)
            } else {
                plan =
                    source.type == NSSQLiteStoreType
                    ? MigrationPlanner.plan(
                        mapping,
                        from: hop.source.model,
                        to: hop.destination.model,
                        file: isFirst ? try file() : MigrationFile()
                    ) : nil
                step.statements = plan?.statements.map(\.printed) ?? []
            }
            step.entities = entities(mapping, hop, plan)
            if isFirst { try countRows(in: &step, mapping, hop, plan) }
        case .mapping(let mapping):
            step.mapping = mapping.name
            step.entities = mapping.file.entities.map(Self.entity)
            if source.type != NSSQLiteStoreType, source.database == nil {
                step.obstacles.append("mapping models are for SQLite stores. Move the store into a SQLite store first.")
            }
            for entity in mapping.file.entities {
                guard let policy = entity.policyClassName else { continue }
                step.obstacles.append(
                    "\(entity.name) is done by the class \(policy), which is in your program: open the store there, "
                        + "with NSMigratePersistentStoresAutomaticallyOption."
                )
            }
            if isFirst { try countSources(in: &step) }
        }
        return step
    }

    // MARK: Inferred

    private func entities(_ mapping: ModelMapping, _ hop: MigrationHop, _ plan: MigrationPlan?) -> [EntityForecast] {
        let tables = source.database == nil ? StoreSchema(model: hop.destination.model) : plan?.destination
        return mapping.entities.map { pair in
            var result = EntityForecast(kind: .unchanged, source: pair.source, destination: pair.destination)
            result.path = pair.destination.flatMap { tables?.entities[$0] }.flatMap { plan?.paths[$0.tableName] }
            guard let old = pair.source else {
                result.kind = .added
                return result
            }
            guard let new = pair.destination else {
                result.kind = .removed
                return result
            }
            result.properties = PropertyForecaster(hop.source.model, hop.destination.model).properties(pair, old, new)
            result.kind =
                old != new ? .renamed : result.properties.isEmpty && pair.kind == .copy ? .unchanged : .changed
            return result
        }
    }

    // MARK: By a mapping model

    private static func entity(_ mapping: MappingFile.EntityMapping) -> EntityForecast {
        var result = EntityForecast(kind: .mapped, source: mapping.sourceName, destination: mapping.destinationName)
        if mapping.sourceName == nil { result.kind = .added }
        if mapping.destinationName == nil { result.kind = .removed }
        let properties = mapping.attributes + mapping.relationships
        result.properties = properties.filter { $0.expression != nil }.map {
            PropertyForecast(
                kind: .mapped,
                name: $0.name,
                detail: $0.expression.flatMap(NSPropertyMapping.decoded)?.description ?? "an expression"
            )
        }
        if let predicate = mapping.sourceFilter {
            result.properties.append(PropertyForecast(kind: .mapped, name: "objects", detail: "where \(predicate)"))
        }
        return result
    }
}
