// `managedgraph migrate`: migrates a store to another version of its model, or forecasts the migration. The command
// prints; the library finds the route, forecasts, rehearses and migrates.
import ArgumentParser
import Foundation
import ManagedGraph
import ManagedGraphTools

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates a store to another version of its model, or previews the migration.",
        discussion: """
            --to names the new model: the current version of an .xcdatamodeld or .momd, or the version that \
            --version names. The store's own version is searched for among the versions of that model, in the places \
            that --search names, and in the store itself. Mapping models beside the model and in the places of \
            --search are used if they match. Folders are searched recursively; a folder without models is an error, \
            and files that cannot be read are reported. The migration takes one step if possible; it takes several \
            if mapping models lead through versions in between, or if there is no other way, but never through an \
            older version.

            With --plan, nothing is written: the output lists the versions, the steps, the properties that each \
            entity gains, loses, renames, converts or fills with a default value, the objects that do not fit the \
            new version with the reason, and the SQL. With --dry-run, a copy in the temporary folder is migrated, \
            and each object that differs is listed. Without either, the store is migrated: the last step replaces \
            the old store at once, so that an interruption leaves the old one.

            With --json, --plan prints one object: "store", "type", "from", "to", "configuration", "possible", \
            "upToDate", "steps" (each with "from", "to", "mapping", "entities", "failures", "obstacles", \
            "statements"), and "impasse" (why there is no way: "entity", "property", "reason"). --dry-run prints an \
            object a line for each object that differs ("entity", "source", "destination", "changes") and a last one \
            ("from", "to", "steps", "entities", "problems", "broken"). A migration prints "store", "from", "to", \
            "migrated", "steps", "backup".

            A store in a PostgreSQL database is named by its address. --dry-run copies it into a schema beside it, \
            which is dropped afterwards; other programs go on meanwhile. With --expand, the new version is a set of \
            views over the same tables, so that programs of both versions work at the same time; those of the new one \
            open the address with versions=views. --contract removes the old version, --abandon the new one. With \
            --json, these print "store", "from", "to", "step", "migrated".

            The exit status is 1 if the migration is impossible or fails.

            Examples:
              managedgraph migrate Tasks.sqlite --to Tasks.xcdatamodeld --plan
              managedgraph migrate Tasks.sqlite --to Tasks.xcdatamodeld --backup Tasks-old.sqlite
              managedgraph migrate 'postgresql://app@db.example.com/tasks' --to Tasks.xcdatamodeld --expand
            """
    )

    @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .stores)
    var store: String

    @Option(help: ArgumentHelp("The new model of the store.", valueName: "model"), completion: .models)
    var to: String

    @Option(help: ArgumentHelp("The version of the model; the current one otherwise.", valueName: "name"))
    var version: String?

    @Option(
        help: ArgumentHelp(
            "A model, a mapping model, or a folder searched recursively for the store's version. May be repeated.",
            valueName: "path"
        ),
        completion: .file()
    )
    var search: [String] = []

    @Flag(help: "Print the plan, and write nothing.")
    var plan = false

    @Flag(name: .customLong("dry-run"), help: "Migrate a copy, and list each object that differs.")
    var dryRun = false

    @Option(
        help: ArgumentHelp("Keep a copy of the old store in a new file.", valueName: "file"),
        completion: .file()
    )
    var backup: String?

    @Flag
    var step: Step?

    @Flag(help: "Write JSON, one object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func validate() throws {
        if plan, dryRun { throw ValidationError("Choose --plan or --dry-run, not both.") }
        if backup != nil, plan || dryRun {
            throw ValidationError("--backup is for a migration, not for --plan or --dry-run.")
        }
        if let step, plan || dryRun || backup != nil {
            throw ValidationError("--\(step.rawValue) has no --plan, no --dry-run and no --backup.")
        }
    }

    func run() throws {
        let output = Output(colour.choice)
        let url = try CommandFailure.naming(store) { try StoreLocation.url(store) }
        let versions = try CommandFailure.naming(to) {
            try MigrationVersions(
                at: URL(fileURLWithPath: to),
                version: version,
                searching: search.map { URL(fileURLWithPath: $0) }
            )
        }
        // An unreadable version may be the store's own, and an unreadable mapping model the intended route.
        for error in versions.unreadable { try output.complain(CommandFailure(error.file, error)) }
        if let step {
            try change(url, by: step, versions, output)
        } else if plan {
            try forecast(url, versions, output)
        } else if dryRun {
            try rehearse(url, versions, output)
        } else {
            try migrate(url, versions, output)
        }
        try output.flush()
    }

    /// The store without passwords.
    private var shown: String { StoreLocation.shown(store) }

    // MARK: Modes

    private func forecast(_ url: URL, _ versions: MigrationVersions, _ output: Output) throws {
        var forecast = try CommandFailure.naming(store) { try MigrationForecaster.forecast(url, to: versions) }
        forecast.store = shown
        if json {
            try output.line(forecast.json)
        } else {
            try MigrationText(output).write(forecast)
        }
        try output.flush()
        if !forecast.isPossible { throw ExitCode.failure }
    }

    private func rehearse(_ url: URL, _ versions: MigrationVersions, _ output: Output) throws {
        Interruption.watch()
        let migrationText = MigrationText(output)
        let bar = ProgressBar("migrating a copy", unit: "steps")
        var listed = 0
        let report = try naming {
            try MigrationRehearsal.rehearse(
                url,
                to: versions,
                progress: { done in
                    try Interruption.check()
                    bar.update(0, fraction: done)
                },
                difference: { difference in
                    try Interruption.check()
                    bar.finish()
                    listed += 1
                    if json { try output.line(difference.json) } else { try migrationText.write(difference) }
                },
                isWanted: { !Interruption.isWanted }
            )
        }
        bar.finish()
        if json { try output.line(report.json) } else { try migrationText.write(report, store: shown, listed: listed) }
        try output.flush()
        if !report.problems.isEmpty { throw ExitCode.failure }
    }

    private func migrate(_ url: URL, _ versions: MigrationVersions, _ output: Output) throws {
        Interruption.watch()
        let bar = ProgressBar("migrating \(shown)", unit: "steps")
        let route = try naming {
            try MigrationRun.run(
                url,
                to: versions,
                backup: backup.map { URL(fileURLWithPath: $0) },
                progress: { done in
                    try Interruption.check()
                    bar.update(0, fraction: done)
                },
                isWanted: { !Interruption.isWanted }
            )
        }
        bar.finish()
        let backupPath = route.hops.isEmpty ? nil : backup
        if json {
            try output.line(
                .object([
                    ("store", .string(shown)), ("from", .string(route.hops.first?.source.name)),
                    ("to", .string(versions.destination.name)), ("migrated", .boolean(!route.hops.isEmpty)),
                    ("steps", .array(route.hops.map(\.json))), ("backup", .string(backupPath)),
                ])
            )
        } else {
            try MigrationText(output).write(route, store: shown, to: versions.destination.name, backup: backupPath)
        }
    }

    /// Runs an interruptible operation; errors name the store.
    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        try CommandFailure.naming(store) {
            do {
                return try body()
            } catch {
                try Interruption.check()
                throw error
            }
        }
    }
}
