// `managedgraph store info`: prints facts about stores, which StoreInformation reads.
import ArgumentParser
import Foundation
import GraphArchives
import ManagedGraphTools

struct StoreInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows the metadata and the versions of stores.",
        discussion: """
            The stores are not changed, and no file is created beside them. The exit status is 1 if a file is not a \
            store.

            With --json, each line is an object for one store: "file", "ok", "error", "type", "uuid", "framework" \
            (its version), "hashesVersion", "identifiers", "checksum", "digest", "hashes" (of the entities), \
            "metadata" (the application's own), "pageSize", "journalMode", "server" and "schema" (of a database), \
            "entities" (rows of each), "history", \
            "external" (files beside the store), "size" in bytes, and "model" (the place of a model that matches). \
            Keys that do not apply are null.
            """
    )

    @Argument(help: ArgumentHelp("The stores.", valueName: "file"), completion: .stores)
    var files: [String]

    @Option(help: ArgumentHelp("A model to look at first.", valueName: "file"), completion: .models)
    var model: String?

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        let output = Output(colour.choice)
        var hasFailures = false
        for file in files {
            do {
                var facts = try StoreInformation(
                    of: StoreLocation.url(file),
                    model: model.map { URL(fileURLWithPath: $0) }
                )
                facts.file = StoreLocation.shown(file)
                try output.write(json ? facts.json.text + "\n" : StoreReportText(output).text(facts))
            } catch let error where CommandRunner.isEnd(error) {
                throw error
            } catch {
                hasFailures = true
                let failure = CommandFailure(file, error)
                if json {
                    let object = JSONValue.object([
                        ("file", .string(StoreLocation.shown(file))), ("ok", .boolean(false)),
                        ("error", .string(failure.reason)),
                    ])
                    try output.line(object)
                } else {
                    try output.complain(failure)
                }
            }
        }
        try output.flush()
        if hasFailures { throw ExitCode.failure }
    }
}

extension StoreInformation {
    /// The facts in the command's JSON.
    fileprivate var json: JSONValue {
        .object([
            ("file", .string(file)), ("ok", .boolean(true)), ("error", .null), ("type", .string(type)),
            ("uuid", .string(uuid)), ("framework", .number(frameworkVersion)),
            ("hashesVersion", .number(hashesVersion)),
            ("identifiers", .array(versionIdentifiers.map { .string($0) })), ("checksum", .string(versionChecksum)),
            ("digest", .string(versionHashesDigest)),
            ("hashes", .object(versionHashes.map { ($0.name, .string($0.hash)) })),
            ("metadata", .object(ownMetadata.map { ($0.key, .string($0.value)) })), ("pageSize", .number(pageSize)),
            ("journalMode", .string(journalMode)), ("server", .string(server)),
            ("schema", .string(databaseSchema)),
            ("entities", .object(entities.map { ($0.name, .number($0.rows)) })), ("history", history?.json ?? .null),
            ("external", .number(externalFiles)), ("size", .number(size)), ("model", .string(model)),
        ])
    }
}
