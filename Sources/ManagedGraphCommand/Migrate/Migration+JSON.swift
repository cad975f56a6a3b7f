// Forecasts and rehearsals of migrations in the command's JSON. Used by MigrateCommand.
import GraphArchives
import ManagedGraphTools

extension MigrationForecast {
    var json: JSONValue {
        .object([
            ("store", .string(store)), ("type", .string(type)), ("from", .string(from)), ("to", .string(to)),
            ("configuration", .string(configuration)), ("possible", .boolean(isPossible)),
            ("upToDate", .boolean(isUpToDate)), ("steps", .array(steps.map(\.json))),
            (
                "impasse",
                .array(
                    impasse.map { problem in
                        .object([
                            ("entity", .string(problem.entity)), ("property", .string(problem.property)),
                            ("reason", .string(problem.reason)),
                        ])
                    }
                )
            ),
        ])
    }
}

extension MigrationForecast.Step {
    fileprivate var json: JSONValue {
        .object([
            ("from", .string(from)), ("to", .string(to)), ("mapping", .string(mapping)),
            ("entities", .array(entities.map(\.json))), ("failures", .array(failures.map(\.json))),
            ("obstacles", .array(obstacles.map { .string($0) })),
            ("statements", .array(statements.map { .string($0) })),
        ])
    }
}

extension EntityForecast {
    fileprivate var json: JSONValue {
        .object([
            ("kind", .string(kind.rawValue)), ("source", .string(source)), ("destination", .string(destination)),
            ("rows", .number(rows)), ("table", .string(path.map { "\($0)" })),
            ("properties", .array(properties.map(\.json))),
        ])
    }
}

extension PropertyForecast {
    fileprivate var json: JSONValue {
        .object([
            ("kind", .string(kind.rawValue)), ("name", .string(name)), ("source", .string(source)),
            ("detail", .string(detail)), ("rows", .number(rows)),
        ])
    }
}

extension RowFailure {
    fileprivate var json: JSONValue {
        .object([
            ("entity", .string(entity)), ("property", .string(property)), ("reason", .string(reason)),
            ("count", .number(count)), ("examples", .array(examples.map { .string($0) })),
            ("prevents", .boolean(prevents)),
        ])
    }
}

extension ObjectDifference {
    var json: JSONValue {
        .object([
            ("entity", .string(entity)), ("source", .string(source)), ("destination", .string(destination)),
            (
                "changes",
                .array(
                    changes.map { change in
                        .object([
                            ("kind", .string(change.kind.rawValue)), ("property", .string(change.property)),
                            ("old", .string(change.old)), ("new", .string(change.new)),
                        ])
                    }
                )
            ),
        ])
    }
}

extension RehearsalReport {
    var json: JSONValue {
        .object([
            ("from", .string(from)), ("to", .string(to)),
            (
                "steps",
                .array(
                    steps.map {
                        .object([("from", .string($0.from)), ("to", .string($0.to)), ("mapping", .string($0.mapping))])
                    }
                )
            ),
            ("entities", .array(entities.map(\.json))), ("problems", .array(problems.map { .string($0) })),
            ("broken", .array(broken.map { .string($0) })),
        ])
    }
}

extension RehearsalReport.Entity {
    fileprivate var json: JSONValue {
        .object([
            ("source", .string(source)), ("destination", .string(destination)), ("before", .number(before)),
            ("after", .number(after)), ("changed", .number(changed)), ("gone", .number(gone)),
        ])
    }
}

extension MigrationHop {
    var json: JSONValue {
        .object([
            ("from", .string(source.name)), ("to", .string(destination.name)), ("mapping", .string(mappingName)),
        ])
    }
}
