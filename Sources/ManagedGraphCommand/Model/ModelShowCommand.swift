// `managedgraph model show`: prints the contents of a model, formatted by ModelListing.
import ArgumentParser
import ManagedGraphTools

struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints a model.",
        discussion: """
            For a mapping model (.xcmappingmodel or .cdm), prints each entity mapping with the expressions of its \
            properties. With --json, that is one object: "file", "sourcePath", "destinationPath" and "mappings" \
            (each with "name", "kind", "source", "destination", "policy", "filter", "userInfo", "sourceHash", \
            "destinationHash", "attributes" and "relationships", whose members have "name" and "expression").

            With --json, the output for a model is one object: "file", "version", "versions", "identifiers", \
            "checksum", "entities", "configurations" and "templates". An entity has "name", "class", \
            "codeGeneration", "parent", "abstract", "renamingIdentifier", "hashModifier", "userInfo", "hash", \
            "attributes", "relationships", "fetchedProperties", "indexes", "compoundIndexes" and "constraints". An \
            attribute has "name", "type", "optional", "transient", "default", "scalar", "derivation", "transformer", \
            "valueClass", "external", "preserved", "encrypted", "indexed", "spotlight", "validations" and \
            "elements"; a relationship has "destination", "inverse", "toMany", "ordered", "min", "max" and \
            "deleteRule". All properties have "renamingIdentifier", "hashModifier" and "userInfo".
            """
    )

    @Argument(help: "The model.", completion: .models)
    var model: String

    @OptionGroup var version: VersionOption

    @Option(help: ArgumentHelp("Show only these entities; may be repeated.", valueName: "name"))
    var entity: [String] = []

    @Flag(help: "Write one JSON object.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        if NamedMappingModel.isMapping(model) { return try showMapping() }
        let namedModel = try CommandFailure.naming(model) { try NamedModel.read(model, version: version.version) }
        let names = namedModel.model.entities.map(\.name)
        for name in entity where !names.contains(name) {
            throw CommandFailure(
                model,
                "there is no entity \(name). Choose one of \(names.joined(separator: ", "))."
            )
        }
        let output = Output(colour.choice)
        if json {
            try output.line(ModelJSON.text(of: namedModel, file: model, entities: entity))
        } else {
            try ModelListing(output).write(namedModel, file: model, entities: entity)
        }
        try output.flush()
    }

    private func showMapping() throws {
        let mapping = try CommandFailure.naming(model) { try NamedMappingModel(model) }
        let output = Output(colour.choice)
        if json {
            try output.line(mapping.json(path: model))
        } else {
            try MappingListing(output).show(mapping, path: model)
        }
        try output.flush()
    }
}
