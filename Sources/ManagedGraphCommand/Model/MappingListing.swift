// A mapping model as text and JSON. Used by the commands that show and hash models.
import Foundation
import GraphArchives
import ManagedGraphTools

struct MappingListing {
    private let output: Output

    init(_ output: Output) { self.output = output }

    /// Prints the mapping of each entity, and the value expression of each property.
    func show(_ mapping: NamedMappingModel, path: String) throws {
        try output.line("\(output.paint(TextWidth.harmless(path), .bold)): mapping model")
        for (title, value) in [("source", mapping.file.sourcePath), ("destination", mapping.file.destinationPath)]
        where !value.isEmpty {
            try output.line("  \(output.paint(title, .dim)) \(TextWidth.harmless(value))")
        }
        for entity in mapping.entities {
            var facts = [entity.kind, "\(entity.source ?? "none") → \(entity.destination ?? "none")"]
            if let policy = entity.policy { facts.append("policy \(policy)") }
            if let filter = entity.filter { facts.append("where \(filter)") }
            facts += entity.userInfo.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }
            try output.line()
            try output.line(
                "\(output.paint(TextWidth.harmless(entity.name), .cyan))  "
                    + "\(TextWidth.harmless(facts.joined(separator: ", ")))"
            )
            let properties = entity.attributes + entity.relationships
            let width = properties.map { TextWidth.columns($0.name) }.max() ?? 0
            for property in properties {
                let name = TextWidth.harmless(property.name)
                let space = String(repeating: " ", count: max(0, width - TextWidth.columns(name)))
                try output.line("  \(name)\(space)  \(TextWidth.harmless(property.expression ?? "no value"))")
            }
        }
    }

    /// Prints the version hashes of the mapped entities.
    func hash(_ mapping: NamedMappingModel, path: String) throws {
        try output.line(TextWidth.harmless("\(path): \(mapping.name)"))
        let table = TextTable(
            [.init(title: "model"), .init(title: "entity"), .init(title: "hash")],
            to: output
        )
        for (title, hashes) in mapping.hashes {
            for (name, hash) in hashes { try table.row([title, name, hash]) }
        }
        try table.finish()
    }
}

extension NamedMappingModel {
    /// The base64 hashes by entity, for the source and the destination.
    fileprivate var hashes: [(String, [(String, String)])] {
        [("source", file.sourceHashes), ("destination", file.destinationHashes)].map { title, hashes in
            (title, hashes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.base64EncodedString()) })
        }
    }

    /// The output of `model hash --json`.
    func hashJSON(path: String) -> JSONValue {
        .object(
            [("file", .string(path)), ("version", .string(name))]
                + hashes.map { ($0.0, .object($0.1.map { ($0.0, .string($0.1)) })) }
        )
    }

    /// The output of `model show --json`.
    func json(path: String) -> JSONValue {
        func list(_ properties: [Property]) -> JSONValue {
            .array(
                properties.map { .object([("name", .string($0.name)), ("expression", .string($0.expression))]) }
            )
        }
        let all = entities.map { entity in
            JSONValue.object([
                ("name", .string(entity.name)), ("kind", .string(entity.kind)), ("source", .string(entity.source)),
                ("destination", .string(entity.destination)), ("policy", .string(entity.policy)),
                ("filter", .string(entity.filter)),
                ("userInfo", .object(entity.userInfo.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
                ("sourceHash", .string(entity.sourceHash?.base64EncodedString())),
                ("destinationHash", .string(entity.destinationHash?.base64EncodedString())),
                ("attributes", list(entity.attributes)), ("relationships", list(entity.relationships)),
            ])
        }
        return .object([
            ("file", .string(path)), ("sourcePath", .string(file.sourcePath)),
            ("destinationPath", .string(file.destinationPath)), ("mappings", .array(all)),
        ])
    }
}
