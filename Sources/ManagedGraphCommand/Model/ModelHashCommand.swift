// `managedgraph model hash`: prints the version hashes of models, which GraphModel computes.
import ArgumentParser
import GraphModel
import ManagedGraph
import ManagedGraphTools

struct ModelHashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Shows the version hashes of models' entities.",
        discussion: """
            A store opens with a model whose hashes equal those in the store's metadata. For a mapping model \
            (.xcmappingmodel or .cdm), prints the hashes of its source and destination entities. The exit status is \
            1 if a model cannot be read.

            With --json, each line is an object for one model: "file", "version", "hashes" (base64 of 32 bytes, by \
            entity), "checksum" (NSStoreModelVersionChecksumKey of a store) and "digest" \
            (NSStoreModelVersionHashesDigest); "file" and "error" for a model that cannot be read; "file", "version" \
            (its name), "source" and "destination" (base64 by entity) for a mapping model.
            """
    )

    @Argument(help: ArgumentHelp("Models.", valueName: "model"), completion: .models)
    var models: [String]

    @OptionGroup var version: VersionOption

    @Flag(help: "Write one JSON object a line.")
    var json = false

    func run() throws {
        let output = Output()
        var hasFailures = false
        for path in models {
            do {
                if NamedMappingModel.isMapping(path) {
                    let mapping = try NamedMappingModel(path)
                    if json {
                        try output.line(mapping.hashJSON(path: path))
                    } else {
                        try MappingListing(output).hash(mapping, path: path)
                    }
                    continue
                }
                let namedModel = try NamedModel.read(path, version: version.version)
                try write(namedModel, path, output)
            } catch let error where CommandRunner.isEnd(error) {
                throw error
            } catch {
                hasFailures = true
                let failure = CommandFailure(path, error)
                if json {
                    try output.line(
                        .object([("file", .string(StoreLocation.shown(path))), ("error", .string(failure.reason))])
                    )
                } else {
                    try output.complain(failure)
                }
            }
        }
        try output.flush()
        if hasFailures { throw ExitCode.failure }
    }

    private func write(_ namedModel: NamedModel, _ path: String, _ output: Output) throws {
        let versionHashes = namedModel.model.versionHashes()
        let (checksum, digest) = (Model.checksum(of: versionHashes), Model.digest(of: versionHashes))
        let hashes = versionHashes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.base64EncodedString()) }
        if json {
            try output.line(
                .object([
                    ("file", .string(StoreLocation.shown(path))), ("version", .string(namedModel.name)),
                    ("hashes", .object(hashes.map { ($0.0, .string($0.1)) })),
                    ("checksum", .string(checksum)), ("digest", .string(digest)),
                ])
            )
            return
        }
        try output.line(TextWidth.harmless("\(StoreLocation.shown(path)): \(namedModel.name)"))
        let table = TextTable([.init(title: "entity"), .init(title: "hash")], to: output)
        for (name, hash) in hashes { try table.row([name, hash]) }
        try table.finish()
        try output.line("checksum  \(checksum)")
        try output.line("digest    \(digest)")
    }
}
