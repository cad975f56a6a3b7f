// `managedgraph model diff`: prints the differences of two models, and whether stores can be migrated. ModelComparison
// and MigrationVerdict do the comparison.
import ArgumentParser
import Foundation
import GraphArchives
import GraphModel
import ManagedGraphTools

struct ModelDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares models, and reports whether lightweight migration is possible.",
        discussion: """
            A model is an .xcdatamodeld (its current version), an .xcdatamodel, the contents file in one, a .momd, a \
            .mom, or a SQLite store (the model cached in it). Given two models, compares them as the old and the new \
            model of a store. Given one model with several versions, compares each version with the next; versions \
            that cannot be read are reported and skipped.

            The exit status is 0 if the models are equal or lightweight migration is possible, and 1 if it is not, \
            or if a model cannot be read. Changes that do not affect version hashes, such as default values and \
            delete rules, are marked with °: stores stay compatible.

            With --json, each line is an object for one comparison: "from", "to", "error" (why a model cannot be \
            read, else null), "equal", "hashesEqual", "lightweight" (whether it is possible), "entities", "changes" \
            (of the model itself), "refusals" (each with "entity", "property", "reason" and "remedy") and "notes". \
            An entity has "kind" (added, removed, changed, renamed), "name", "former" (its old name), "hashChanged", \
            "changes" and "properties". A property has "kind" (also moved), "name", "former", "hashChanged", \
            "changes", "sort" (attribute, relationship or fetched property), "formerEntity" and "summary". A change \
            has "field", "before", "after" and "hashed".
            """
    )

    @Argument(
        help: ArgumentHelp("One model with several versions, or the old and the new one.", valueName: "model"),
        completion: .models
    )
    var models: [String]

    @Option(name: .customLong("from"), help: ArgumentHelp("The version to take of the first model.", valueName: "name"))
    var fromVersion: String?

    @Option(name: .customLong("to"), help: ArgumentHelp("The version to take of the last model.", valueName: "name"))
    var toVersion: String?

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func validate() throws {
        guard (1...2).contains(models.count) else { throw ValidationError("Name one model, or two.") }
        if models.count == 1, (fromVersion == nil) != (toVersion == nil) {
            throw ValidationError("With one model, name both --from and --to, or neither.")
        }
    }

    func run() throws {
        let output = Output(colour.choice)
        let pairs: [(from: TitledModel, to: TitledModel)]
        var isRefused = false
        do {
            let versions: [TitledModel]
            (versions, isRefused) = try readVersions(output)
            pairs = Array(zip(versions, versions.dropFirst())).map { (from: $0, to: $1) }
        } catch let failure as CommandFailure where json {
            try output.line(Self.error(failure, from: models[0], to: models.count > 1 ? models[1] : nil))
            try output.flush()
            throw ExitCode.failure
        }
        for (from, to) in pairs {
            let difference = ModelComparison.differences(from: from.model, to: to.model)
            let verdict = MigrationVerdict(from: from.model, to: to.model)
            if !verdict.isPossible { isRefused = true }
            if json {
                try output.line(ModelDiffJSON.object(from.name, to.name, difference, verdict))
            } else {
                try output.write(ModelDiffText(output).text(from.name, to.name, difference, verdict))
            }
        }
        try output.flush()
        if isRefused { throw ExitCode.failure }
    }

    /// A model, hashed once, and its title.
    private struct TitledModel {
        var name: String
        var model: HashedModel
    }

    /// The versions to compare, each with the next, and whether one is missing because it is unreadable.
    private func readVersions(_ output: Output) throws -> ([TitledModel], isBroken: Bool) {
        if models.count == 2 || fromVersion != nil {
            let last = models.count == 2 ? models[1] : models[0]
            return ([try read(models[0], version: fromVersion), try read(last, version: toVersion)], false)
        }
        let versions = try CommandFailure.naming(models[0]) {
            try NamedModel.readEach(models[0], needsCurrent: false)
        }
        for error in versions.errors {
            let failure = CommandFailure(models[0], error)
            if json {
                try output.line(Self.error(failure, from: error.version, to: nil))
            } else {
                try output.complain(failure)
            }
        }
        guard versions.models.count + versions.errors.count > 1 else {
            throw CommandFailure(models[0], "it has one version only. Name the model to compare it with too.")
        }
        let all = versions.models.map { TitledModel(name: $0.name, model: HashedModel($0.model)) }
        return (all, !versions.errors.isEmpty)
    }

    private static func error(_ failure: CommandFailure, from: String?, to: String?) -> JSONValue {
        .object([("from", .string(from)), ("to", .string(to)), ("error", .string(failure.description))])
    }

    private func read(_ path: String, version: String?) throws -> TitledModel {
        let namedModel = try CommandFailure.naming(path) { try NamedModel.read(path, version: version) }
        let shown = StoreLocation.shown(path)
        let name = version == nil ? shown : models.count == 1 ? namedModel.name : "\(shown) (\(namedModel.name))"
        return TitledModel(name: name, model: HashedModel(namedModel.model))
    }
}
