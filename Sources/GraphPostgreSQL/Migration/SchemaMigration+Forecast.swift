// The forecast of a migration: its statements, and the rows that would prevent it. Reads one snapshot of the schema, takes
// no lock that others wait for, and writes nothing.
import GraphEngine
import GraphModel
import GraphSQL

extension SchemaMigration {
    /// Forecasts the migration of the store as it is now.
    ///
    /// O(rows) for new rules and new uniqueness constraints.
    ///
    /// - Returns: The statements, and the reasons for a refusal.
    /// - Throws: `EngineError`; also if the store has been migrated in the meantime.
    package func forecast() throws -> DatabaseForecast {
        try EngineError.mappingPostgreSQL {
            let connection = try PostgreSQLConnection(address)
            // The server rolls the open transaction back.
            defer { connection.close() }
            prepare(connection)
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            guard let state = try PostgreSQLEngine.readState(connection, dialect),
                state.metadata.versionHashes == source.versionHashes()
            else {
                throw EngineError(
                    .otherVersion,
                    "The store has been migrated by another program meanwhile.",
                    remedy: "Plan again."
                )
            }
            var forecast = DatabaseForecast(
                MigrationPlanner.plan(mapping, from: source, to: destination, file: try file(connection))
            )
            do {
                try describe(state, &forecast, connection)
            } catch let failure as MigrationFailure {
                forecast.obstacles.append("\(failure)")
            }
            return forecast
        }
    }

    /// Forecasts only the plan of a migration that follows others, because its tables do not exist yet.
    ///
    /// - Returns: The statements that the models determine.
    package func forecastLater() -> DatabaseForecast {
        let plan = MigrationPlanner.plan(mapping, from: source, to: destination, file: file(numbers: [:]))
        var forecast = DatabaseForecast(plan)
        let indexes = indexChanges(plan)
        forecast.statements = indexes.dropped + plan.statements.map { $0.printed(in: dialect) } + indexes.made
        return forecast
    }

    private func describe(
        _ state: StoredState,
        _ forecast: inout DatabaseForecast,
        _ connection: PostgreSQLConnection
    ) throws {
        let plan = forecast.plan
        forecast.statements = try SideBySide.endStatements(connection, own, dialect)
        if let schema = state.tables {
            forecast.plan.paths = plan.paths.mapValues { _ in .untouched }
            forecast.statements += try viewStatements(over: schema, plan, connection)
            return
        }
        try checkSource(plan, connection)
        let references = try referenceChanges(plan, connection)
        let indexes = indexChanges(plan)
        forecast.statements += references.dropped + indexes.dropped
        forecast.statements += plan.statements.map { $0.printed(in: dialect) } + indexes.made
        forecast.statements += references.made.map { $0.statement(in: dialect) }
        forecast.statements += plan.destination.derivedValueStatements(from: source, to: destination)
        forecast.failures = try refusals(plan, connection) + duplicates(plan, connection)
    }

    /// The rows that the new model's rules forbid.
    private func refusals(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws
        -> [DatabaseForecast.Failure]
    {
        try plan.refusals.compactMap { refusal in
            let count = try connection.execute(refusal.count).integer(0, 0) ?? 0
            guard count > 0 else { return nil }
            return DatabaseForecast.Failure(
                entity: refusal.entity,
                property: refusal.property,
                reason: refusal.reason,
                count: Int(count)
            )
        }
    }

    /// The values that a new uniqueness constraint forbids.
    private func duplicates(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws
        -> [DatabaseForecast.Failure]
    {
        var result: [DatabaseForecast.Failure] = []
        for pair in mapping.entities {
            guard let name = pair.destination, let entity = destination.entity(named: name), let former = pair.source,
                let place = plan.source.entities[former]
            else { continue }
            for names in entity.uniquenessConstraints {
                let sources = names.compactMap { pair.source(of: $0) }
                let values = names.compactMap { newValue(of: $0, pair, place) }
                let isKept = source.entity(named: former)?.uniquenessConstraints.contains(sources) == true
                guard values.count == names.count, !isKept || values.contains(where: \.isOther) else { continue }
                let groups = groups(of: values.map(\.expression), place, plan)
                let counts = try connection.execute("SELECT COUNT(*), SUM(n)::bigint FROM (\(groups)) AS _x")
                guard let count = try counts.integer(0, 0), count > 0 else { continue }
                let keys = try connection.execute(
                    "SELECT k FROM (\(groups)) AS _x ORDER BY k LIMIT \(DatabaseForecast.exampleCount)"
                )
                var failure = DatabaseForecast.Failure(
                    entity: name,
                    property: names.joined(separator: ", "),
                    reason: DatabaseForecast.duplicates(Int(count)),
                    count: Int(try counts.integer(1, 0) ?? 0)
                )
                failure.source = former
                failure.keys = try (0..<keys.count).compactMap { try keys.integer(0, $0) }
                result.append(failure)
            }
        }
        return result
    }

    /// The value that rows get for a property, as an expression over their former columns, and whether it can be another
    /// one than before: a new attribute has its default value, as has one that becomes required and had none; nil if no row
    /// gets a value.
    private func newValue(
        of name: String,
        _ pair: EntityPair,
        _ place: EntitySchema
    ) -> (expression: String, isOther: Bool)? {
        let attribute = pair.destination.flatMap { destination.attribute(name, of: $0) }
        let fallback = attribute.flatMap { attribute in
            attribute.defaultValue.map { dialect.literal(SQLValue($0, type: attribute.type)) }
        }
        guard let former = pair.source(of: name) else {
            guard let fallback, attribute?.derivationExpressionFormat == nil else { return nil }
            return (fallback, true)
        }
        guard let column = Self.column(former, place).map(dialect.identifier) else { return nil }
        let before = source.attribute(former, of: place.name)
        var value = column
        if let before, let attribute, let conversion = NumberConversion(from: before.type, to: attribute.type) {
            value = conversion.expression(column, dialect) ?? column
        }
        if let fallback, before?.common.isOptional == true, attribute?.common.isOptional == false {
            value = "COALESCE(\(value), \(fallback))"
        }
        return (value, value != column)
    }

    /// Selects the least key and the number of rows of each value that occurs more than once.
    private func groups(of values: [String], _ place: EntitySchema, _ plan: MigrationPlan) -> String {
        let numbers = values.indices.map { "v\($0)" }
        let list = zip(values, numbers).map { "\($0) AS \($1)" }.joined(separator: ", ")
        var rows = "SELECT \(dialect.identifier(place.own.key)) AS k, \(list) FROM \(dialect.table(place.tableName))"
        if let number = place.own.entityNumber {
            rows += " WHERE \(dialect.identifier(number)) IN (\(plan.source.familyList(place.name)))"
        }
        return "SELECT MIN(k) AS k, COUNT(*) AS n FROM (\(rows)) AS _r WHERE "
            + numbers.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            + " GROUP BY \(numbers.joined(separator: ", ")) HAVING COUNT(*) > 1"
    }

    private static func column(_ property: String, _ place: EntitySchema) -> String? {
        switch place.properties[property] {
        case .attribute(let attribute)?: attribute.column
        case .toOne(let toOne)?: toOne.column
        default: nil
        }
    }
}
