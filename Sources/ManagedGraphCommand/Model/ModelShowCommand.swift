// `managedgraph model show`: prints the contents of a model, formatted by ModelListing.
import ArgumentParser
import ManagedGraphTools

struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what is in a model.",
        discussion: """
            Of a mapping model (.xcmappingmodel or .cdm) each entity mapping is shown, with what each property is set to. With \
            --json that is one object: "file", "sourcePath", "destinationPath" and "mappings" (each with "name", "kind", \
            "source", "destination", "policy", "filter", "userInfo", "sourceHash", "destinationHash", "attributes" and \
            "relationships", whose members have "name" and "expression").

            With --json one object is written: "file", "version", "versions", "identifiers", "checksum", "entities", \
            "configurations" and "templates". An entity has "name", "class", "codeGeneration", "parent", "abstract", \
            "renamingIdentifier", "hashModifier", "userInfo", "hash", "attributes", "relationships", "fetchedProperties", \
            "indexes", "compoundIndexes" and "constraints". An attribute has "name", "type", "optional", "transient", \
            "default", "scalar", "derivation", "transformer", "valueClass", "external", "preserved", "encrypted", "indexed", \
            "spotlight", "validations", "elements" and what all properties have: "renamingIdentifier", "hashModifier", \
            "userInfo"; a relationship "destination", "inverse", "toMany", "ordered", "min", "max" and "deleteRule".
            """
    )

    @Argument(help: "The model.", completion: .models)
    var model: String

    @OptionGroup var version: VersionOption

    @Option(help: ArgumentHelp("Show these entities only; may be given several times.", valueName: "name"))
    var entity: [String] = []

    @Flag(help: "Write one JSON object.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        if NamedMappingModel.isMapping(model) { return try showMapping() }
        let found = try CommandFailure.naming(model) { try NamedModel.read(model, version: version.version) }
        let names = found.model.entities.map(\.name)
        for name in entity where !names.contains(name) {
            throw CommandFailure(
                model,
                "there is no entity \(name). Choose one of \(names.joined(separator: ", "))."
            )
        }
        let output = Output(colour.choice)
        if json {
            try output.line(ModelJSON.text(of: found, file: model, entities: entity))
        } else {
            try ModelListing(output).write(found, file: model, entities: entity)
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
