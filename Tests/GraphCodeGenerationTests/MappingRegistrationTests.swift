import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

@testable import GraphCodeGeneration

/// Mapping models in the registration of a target.
struct MappingRegistrationTests {
    @Test func aMappingModelIsRegisteredWithTheHashesOfTheTargetsOwnVersions() throws {
        let versions = ["App", "App 2"].map { name in
            VersionedModel.Version(
                name: name,
                model: Model(entities: [Entity(name: "Note", versionHashModifier: name)]),
                url: URL(filePath: "/\(name).xcdatamodel")
            )
        }
        let model = VersionedModel(name: "App", versions: versions, currentName: "App 2")
        let mapping = MappingFile(
            sourcePath: "Sources/App.xcdatamodeld/App.xcdatamodel",
            destinationPath: "Sources/App.xcdatamodeld/App 2.xcdatamodel"
        )
        let generator = TargetGenerator(
            module: "App",
            models: [.init(model: model, file: "App.xcdatamodeld", contents: [:])],
            mappings: [.init(name: "Notes", mapping: mapping)],
            sources: []
        )
        let text = try #require(generator.generate().files["ManagedObjectRegistration.swift"])
        #expect(text.contains("mappings: embeddedMappings()"))
        for version in versions {
            let hash = try #require(version.model.versionHashes()["Note"]).base64EncodedString()
            // JSON escapes a slash with a backslash, which the Swift literal doubles.
            #expect(text.contains(hash.replacing("/", with: "\\\\/")))
        }
        let plain = TargetGenerator(module: "App", models: [], sources: []).generate()
        expectEqual(plain.files["ManagedObjectRegistration.swift"]?.contains("embeddedMappings"), false)
    }
}
