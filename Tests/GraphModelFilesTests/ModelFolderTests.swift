// Tests folders: .xcdatamodel, .xcdatamodeld and the choice of the current version.
import ExpectationSupport
import Foundation
import GraphModel
import Testing

@testable import GraphModelFiles

struct ModelFolderTests {
    private func currentVersion(_ name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
        """
    }

    private func bundle(versions: [String], current: String?) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for version in versions {
            let text = ModelText.model("<entity name=\"\(version.filter(\.isLetter))\"/>")
            try folder.write(text, to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
        }
        if let current { try folder.write(current, to: "App.xcdatamodeld/.xccurrentversion") }
        return folder
    }

    private func reason(_ folder: TemporaryFolder, _ path: String) throws -> String {
        try #require(throws: ModelFileError.self) {
            try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent(path))
        }.reason
    }

    @Test func theNamedVersionIsTheCurrentOne() throws {
        let folder = try bundle(versions: ["App", "App 2", "App 3"], current: currentVersion("App 2.xcdatamodel"))
        let model = try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent("App.xcdatamodeld"))
        expectEqual(model.name, "App")
        expectEqual(model.versions.map(\.name), ["App", "App 2", "App 3"])
        expectEqual(model.currentName, "App 2")
        expectEqual(model.current?.url.lastPathComponent, "App 2.xcdatamodel")
    }

    @Test(arguments: [
        (["Only"], "Only"), (["App", "App 2"], "App"), (["V1", "V2"], "V2"),
    ])
    func withoutANameAnObviousVersionIsTaken(versions: [String], current: String) throws {
        let folder = try bundle(versions: versions, current: nil)
        let model = try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent("App.xcdatamodeld"))
        expectEqual(model.currentName, current)
    }

    @Test func anEmptyChoiceCountsAsNone() throws {
        let folder = try bundle(versions: ["Only"], current: "<plist version=\"1.0\"><dict/></plist>")
        let model = try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent("App.xcdatamodeld"))
        expectEqual(model.currentName, "Only")
    }

    @Test func aCurrentVersionThatIsNotThereIsRefused() throws {
        let folder = try bundle(versions: ["App"], current: currentVersion("App 9.xcdatamodel"))
        let reason = try reason(folder, "App.xcdatamodeld")
        #expect(
            reason.hasPrefix(
                "the current version is to be App 9.xcdatamodel, but the folder contains only App.xcdatamodel"
            )
        )
    }

    @Test func aChoiceThatIsNotAPropertyListIsRefused() throws {
        let folder = try bundle(versions: ["App"], current: "nonsense")
        #expect(try reason(folder, "App.xcdatamodeld").hasPrefix("this is not a property list"))
    }

    @Test func missingAndEmptyFoldersAreRefused() throws {
        let folder = try bundle(versions: ["App"], current: nil)
        try folder.write("", to: "Empty.xcdatamodeld/readme")
        try folder.write("", to: "File.xcdatamodeld")
        #expect(try reason(folder, "Missing.xcdatamodeld").hasPrefix("the file does not exist"))
        #expect(try reason(folder, "Empty.xcdatamodeld").hasPrefix("the folder contains no .xcdatamodel"))
        #expect(try reason(folder, "File.xcdatamodeld").hasPrefix("this is a file"))
    }

    /// Links that lead to themselves cannot be examined, not even by root.
    @Test func aModelThatCannotBeExaminedIsNotTakenForAMissingOne() throws {
        let folder = try bundle(versions: ["App"], current: nil)
        for name in ["Loop.xcdatamodeld", "Loop.xcmappingmodel", "App.xcdatamodeld/App.xcdatamodel/elements"] {
            let link = folder.url.appendingPathComponent(name)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: link.path)
        }
        let version = folder.url.appendingPathComponent("App.xcdatamodeld/App.xcdatamodel")
        try FileManager.default.removeItem(at: version.appendingPathComponent("contents"))
        #expect(try reason(folder, "Loop.xcdatamodeld").hasPrefix("the file cannot be read: "))
        #expect(try reason(folder, "App.xcdatamodeld").hasPrefix("the file cannot be read: "))
        let mapping = try #require(throws: ModelFileError.self) {
            try MappingReader.read(at: folder.url.appendingPathComponent("Loop.xcmappingmodel"))
        }
        #expect(mapping.reason.hasPrefix("the file cannot be read: "))
    }

    @Test func aBrokenVersionIsNamedByItsFile() throws {
        let folder = try bundle(versions: ["App"], current: nil)
        try folder.write("<model><entity/></model>", to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
        let error = try #require(throws: ModelFileError.self) {
            try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent("App.xcdatamodeld"))
        }
        #expect(error.file.hasSuffix("App.xcdatamodeld/App 2.xcdatamodel/contents"))
    }

    @Test func aSingleModelIsItsOwnOnlyVersion() throws {
        let folder = try TemporaryFolder()
        try folder.write(ModelText.model("<entity name=\"A\"/>"), to: "Solo.xcdatamodel/contents")
        let model = try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent("Solo.xcdatamodel"))
        expectEqual(model.currentName, "Solo")
        expectEqual(model.current?.model.entities.map(\.name), ["A"])
    }

    @Test func aModelIsReadByItsFolderOrItsFile() throws {
        let folder = try TemporaryFolder()
        try folder.write(ModelText.model("<entity name=\"A\"/>"), to: "Solo.xcdatamodel/contents")
        let url = folder.url.appendingPathComponent("Solo.xcdatamodel")
        try expectEqual(ModelFile.readModel(at: url), ModelFile.readModel(at: url.appendingPathComponent("contents")))
    }

    /// Code generators embed the text of every version.
    @Test func theTextOfAnArchivedVersionIsGenerated() throws {
        let folder = try bundle(versions: ["App", "App 2"], current: nil)
        let version = folder.url.appendingPathComponent("App.xcdatamodeld/App 2.xcdatamodel")
        let model = try ModelFile.readModel(at: version)
        try expectEqual(ModelFile.text(of: version), ModelText.model("<entity name=\"App\"/>"))
        try FileManager.default.removeItem(at: version.appendingPathComponent("contents"))
        try CompiledModelWriter.write(model, form: .cache).write(to: version.appendingPathComponent("elements"))
        let text = try ModelFile.text(of: version)
        let read = try ModelFile.readModel(contents: Data(text.utf8), file: "contents")
        expectEqual(read.entities.map(\.name), ["App"])
    }

    @Test func aLegacyModelIsRecognised() throws {
        let folder = try TemporaryFolder()
        try folder.write("bplist00", to: "Old.xcdatamodel/elements")
        let error = try #require(throws: ModelFileError.self) {
            try ModelFile.readModel(at: folder.url.appendingPathComponent("Old.xcdatamodel"))
        }
        #expect(
            error.reason.hasPrefix("the archive is damaged: it should contain a model as Xcode wrote it before")
        )
    }
}
