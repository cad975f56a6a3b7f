// Migrations as text: forecasts, differences, results. Used by MigrateCommand. Names and values come from files and
// rows, so `clean` keeps their control characters from the terminal.
import ManagedGraphTools

struct MigrationText {
    private let output: Output

    init(_ output: Output) { self.output = output }

    // MARK: A forecast

    func write(_ forecast: MigrationForecast) throws {
        let originNote = forecast.isOwnVersion ? " (known from the store itself)" : ""
        if forecast.isUpToDate {
            try writeNothing(forecast.store, version: forecast.to)
            return
        }
        let (from, to) = (output.paint(clean(forecast.from), .bold), output.paint(clean(forecast.to), .bold))
        try output.line(
            "\(clean(forecast.store)): \(from)\(originNote) → \(to)"
                + (forecast.configuration.map { ", configuration \(clean($0))" } ?? "")
        )
        if !forecast.impasse.isEmpty {
            try output.line(bad("There is no way:"))
            for problem in forecast.impasse {
                try output.line("  \(place(problem.entity, problem.property)): \(clean(problem.reason))")
            }
            try output.line(
                "Add a mapping model, give new required attributes default values, or set renaming identifiers."
            )
            return
        }
        for (number, step) in forecast.steps.enumerated() {
            if forecast.steps.count > 1 {
                let versions = "\(clean(step.from)) → \(clean(step.to))"
                try output.line("\nStep \(number + 1) of \(forecast.steps.count): \(versions)")
            }
            try write(step, isDatabase: StoreLocation.isDatabase(forecast.store))
        }
        try output.line("")
        try output.line(
            forecast.isPossible ? good("The migration is possible.") : bad("The migration would be refused.")
        )
    }

    private func write(_ step: MigrationForecast.Step, isDatabase: Bool) throws {
        let (new, storeNoun) = isDatabase ? ("schema, which takes its place", "database") : ("file", "file")
        try output.line(
            step.mapping.map { "By the mapping model \(clean($0)), object by object into a new \(new)." }
                ?? (step.statements.isEmpty
                    ? "Inferred." : "Inferred, in SQL, in one transaction of the store's own \(storeNoun).")
        )
        if !step.countsRows { try output.line("Rows are known after the steps before; --dry-run shows them.") }
        let same = step.entities.filter { $0.kind == .unchanged }.compactMap(\.destination)
        for entity in step.entities where entity.kind != .unchanged { try write(entity) }
        if !same.isEmpty { try output.line("  unchanged: \(clean(same.joined(separator: ", ")))") }
        try write(step.failures.filter(\.prevents), bad("Objects that prevent the migration:"))
        try write(
            step.failures.filter { !$0.prevents },
            output.paint("Objects that are kept, and refused at their next save:", .yellow)
        )
        for obstacle in step.obstacles { try output.line("\(bad("Cannot be done here:")) \(clean(obstacle))") }
        if !step.statements.isEmpty {
            try output.line("SQL:")
            for statement in step.statements { try output.line(output.paint("  \(clean(statement));", .dim)) }
        }
    }

    private func write(_ entity: EntityForecast) throws {
        var name = entity.destination ?? entity.source ?? ""
        if let source = entity.source, let destination = entity.destination, source != destination {
            name = "\(source) → \(destination)"
        }
        let mark: String =
            switch entity.kind {
            case .added: output.paint("+", .green)
            case .removed: output.paint("-", .red)
            default: output.paint("~", .yellow)
            }
        var facts: [String] = []
        if let rows = entity.rows { facts.append(Self.objects(rows)) }
        switch (entity.kind, entity.path) {
        case (.added, _): facts.append("new")
        case (.removed, _): facts.append("removed" + ((entity.rows ?? 0) > 0 ? " with all its objects" : ""))
        case (_, .inPlace?): facts.append("its table stays")
        case (_, .rewritten?): facts.append("its table is written anew")
        default: break
        }
        let suffix = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
        try output.line("  \(mark) \(output.paint(clean(name), .bold))\(suffix)")
        for property in entity.properties { try write(property, entity) }
    }

    private func write(_ property: PropertyForecast, _ entity: EntityForecast) throws {
        let name = property.source.map { "\($0) → \(property.name)" } ?? property.name
        let rows = property.rows.map(Self.objects)
        let (mark, effect): (String, String?) =
            switch property.kind {
            case .added: (output.paint("+", .green), nil)
            case .dropped: (output.paint("-", .red), rows.map { "dropped from \($0)" })
            case .defaulted: (output.paint("~", .yellow), rows.map { "the default value is given to \($0)" })
            case .renamed, .retyped, .changed, .mapped: (output.paint("~", .yellow), nil)
            }
        let detail = [property.detail, effect].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "; ")
        try output.line("      \(mark) " + clean(name + (detail.isEmpty ? "" : ": \(detail)")))
    }

    private func write(_ failures: [RowFailure], _ title: String) throws {
        guard !failures.isEmpty else { return }
        try output.line(title)
        for failure in failures {
            try output.line(
                "  \(place(failure.entity, failure.property)), \(Self.objects(failure.count)): \(clean(failure.reason))"
            )
            for example in failure.examples { try output.line("      \(clean(example))") }
        }
    }

    // MARK: A rehearsal

    func write(_ difference: ObjectDifference) throws {
        guard let destination = difference.destination else {
            try output.line("\(output.paint("-", .red)) \(clean(difference.source ?? difference.entity))")
            for change in difference.changes {
                try output.line(clean("    - \(change.property): \(change.old ?? "none")"))
            }
            return
        }
        try output.line("\(output.paint("~", .yellow)) \(clean("\(difference.source ?? "new") → \(destination)"))")
        for change in difference.changes {
            switch change.kind {
            case .added: try output.line(clean("    + \(change.property): \(change.new ?? "none")"))
            case .dropped: try output.line(clean("    - \(change.property): \(change.old ?? "none")"))
            case .changed:
                let (old, new) = (change.old ?? "none", change.new ?? "none")
                try output.line(clean("    ~ \(change.property): \(old) → \(new)"))
            }
        }
    }

    func write(_ report: RehearsalReport, store: String, listed: Int) throws {
        if listed > 0 { try output.line("") }
        if report.steps.isEmpty {
            try writeNothing(store, version: report.to)
            return
        }
        let steps = Self.count(report.steps.count, "step")
        try output.line(clean("\(store): \(report.from) → \(report.to) in \(steps)"))
        for entity in report.entities {
            let name = entity.destination ?? entity.source ?? ""
            let from = entity.source.flatMap { $0 == name ? nil : " (was \($0))" } ?? ""
            let change = entity.changed > 0 ? ", \(entity.changed) of them changed" : ""
            let counts = "\(entity.before) objects before, \(entity.after) afterwards\(change)"
            try output.line(clean("  \(name)\(from): \(counts)"))
        }
        for problem in report.problems { try output.line("  \(bad("problem:")) \(clean(problem))") }
        for problem in report.broken {
            try output.line("  \(output.paint("refused at the next save:", .yellow)) \(clean(problem))")
        }
        let goneCount = report.entities.reduce(0) { $0 + $1.gone }
        if !report.problems.isEmpty {
            try output.line(bad("The migrated store differs from the expected one."))
        } else if goneCount > 0 {
            try output.line(
                output.paint("Nothing becomes of \(Self.objects(goneCount)):", .yellow)
                    + " the entity is not there any more, or the mapping model leaves them out."
            )
        } else {
            try output.line(good("Every object is there afterwards."))
        }
    }

    // MARK: A migration

    func write(_ route: MigrationRoute, store: String, to: String, backup: String?) throws {
        guard let first = route.hops.first else {
            try writeNothing(store, version: to)
            return
        }
        let steps = route.hops.count > 1 ? " in \(route.hops.count) steps" : ""
        try output.line(
            "\(clean(store)): \(good("migrated")) from \(clean(first.source.name)) to \(clean(to))\(steps)"
        )
        if let backup { try output.line("  The old store is kept at \(clean(backup)).") }
    }

    private func writeNothing(_ store: String, version: String) throws {
        try output.line("\(clean(store)): \(good("nothing to do")), it has the version \(clean(version)) already")
    }

    private func place(_ entity: String, _ property: String?) -> String {
        output.paint(clean(entity + (property.map { ".\($0)" } ?? "")), .bold)
    }

    private func clean(_ text: String) -> String { TextWidth.harmless(text) }

    private func good(_ text: String) -> String { output.paint(text, .green) }
    private func bad(_ text: String) -> String { output.paint(text, .red) }
    private static func objects(_ count: Int) -> String { Self.count(count, "object") }
    private static func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
}
