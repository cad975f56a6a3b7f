// Models in XML, as compiled archives and as stores have them; mapping models.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles

extension FuzzTarget {
    static let models = [
        FuzzTarget(
            "model",
            dictionary: "model",
            seeds: { try SeedFiles.fixtures("/contents") }
        ) { data in
            guard let model = try? ModelFile.readModel(data, file: "fuzzed") else { return }
            // A model that is read can be hashed, compiled and read again.
            _ = model.versionHashes()
            guard let compiled = try? ModelFile.compiled(model) else { return }
            guard (try? ModelFile.readModel(compiled: compiled, file: "compiled")) != nil else {
                fatalError("A model that was compiled cannot be read.")
            }
        },
        FuzzTarget(
            "compiled-model",
            dictionary: "archive",
            seeds: { try SeedFiles.fixtures(".mom") }
        ) { data in
            guard let model = try? ModelFile.readModel(data, file: "fuzzed") else { return }
            _ = model.versionHashes()
        },
        FuzzTarget(
            "model-cache",
            seeds: { try SeedFiles.fixtures(".mom").map(RawDeflate.deflate) }
        ) { data in _ = try? ModelFile.readModel(cache: data, file: "fuzzed") },
        FuzzTarget(
            "model-document",
            dictionary: "model",
            seeds: { try SeedFiles.fixtures("/contents") }
        ) { data in
            // The studio's reader, which keeps unknown elements.
            guard let document = try? ModelDocument(contents: data, file: "fuzzed") else { return }
            guard (try? ModelDocument(contents: document.contents, file: "written")) != nil else {
                fatalError("A document that was written cannot be read.")
            }
        },
        FuzzTarget(
            "mapping",
            dictionary: "mapping",
            seeds: { try SeedFiles.fixtures("xcmapping.xml", ".cdm") }
        ) { data in _ = try? MappingReader.read(data, file: "fuzzed") },
    ]
}
