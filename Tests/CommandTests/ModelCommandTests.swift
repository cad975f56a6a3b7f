// Tests `managedgraph model`: show, check, hashes, compile and convert; files are never overwritten or left incomplete.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

struct ModelCommandTests {
    /// A folder with `App.xcdatamodeld`, whose second version is the current one.
    private final class Sample {
        let folder: URL
        var bundle: String { folder.appending(path: "App.xcdatamodeld").path }

        static func text(_ attributes: String) -> String {
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" mark="kept" \
            userDefinedModelVersionIdentifier="">
                <entity name="User" representedClassName="User" syncable="YES">
                    <attribute name="name" attributeType="String"/>
                    \(attributes)
                </entity>
                <configuration name="Main">
                    <memberEntity name="User"/>
                </configuration>
                <fetchRequest name="all" entity="User" predicateString="name != nil"/>
            </model>
            """
        }

        init() throws {
            folder = Command.folder.appending(path: "models-\(UUID().uuidString)")
            let pet =
                "<attribute name=\"petName\" optional=\"YES\" attributeType=\"String\" defaultValueString=\"Rex\"/>"
            try write(Self.text(""), to: "App.xcdatamodeld/App.xcdatamodel/contents")
            try write(Self.text(pet), to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["_XCCurrentVersionName": "App 2.xcdatamodel"],
                format: .xml,
                options: 0
            )
            try list.write(to: folder.appending(path: "App.xcdatamodeld/.xccurrentversion"))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func write(_ text: String, to path: String) throws {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }

        func path(_ name: String) -> String { folder.appending(path: name).path }

        func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

        func run(_ arguments: String...) async throws -> Command { try await Command.run(arguments, of: "model") }

        /// The files in the folder besides the sample.
        func made() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "App.xcdatamodeld" }
                .sorted()
        }
    }

    @Test func showListsEntitiesAndTheirProperties() async throws {
        let sample = try Sample()
        let shown = try await sample.run("show", sample.bundle)
        expectEqual(shown.status, 0)
        #expect(shown.output.contains("versions App, App 2\n"))
        #expect(
            shown.output.contains("\nUser  class User\n  name     String\n  petName  String  optional, default Rex\n")
        )
        #expect(shown.output.contains("configuration Main: User\n"))
        #expect(shown.output.contains("template all: User where name != nil\n"))
        let object = try #require(
            try await sample.run("show", sample.bundle, "--json", "--version", "App").objects.first
        )
        expectEqual(object["version"] as? String, "App")
        let entity = try #require((object["entities"] as? [[String: Any]])?.first)
        expectEqual((entity["attributes"] as? [[String: Any]])?.compactMap { $0["type"] as? String }, ["String"])
        expectEqual(entity["class"] as? String, "User")
        let none = try await sample.run("show", sample.bundle, "--entity", "Missing")
        expectEqual(none.status, 1)
        expectEqual(none.errors, "\(sample.bundle): there is no entity Missing. Choose one of User.\n")
    }

    @Test func checkReportsEachModelInAFolder() async throws {
        let sample = try Sample()
        try sample.write(
            "<model><entity name=\"A\"><attribute name=\"a\" attributeType=\"Whole\"/>"
                + "<attribute name=\"b\" attributeType=\"Date\" derived=\"YES\" derivationExpression=\"((\"/></entity></model>",
            to: "Broken.xcdatamodel/contents"
        )
        try sample.write("nothing", to: ".git/Hidden.mom")
        let checked = try await sample.run("check", sample.folder.path, "--json")
        expectEqual(checked.status, 1)
        let objects = checked.objects
        expectEqual(objects.map { $0["file"] as? String }, [sample.bundle, sample.path("Broken.xcdatamodel")])
        expectEqual(objects.map { $0["ok"] as? Bool }, [true, false])
        expectEqual(objects.first?["entities"] as? Int, 1)
        expectEqual(objects.first?["problems"] as? [String], [])
        let problems = try #require(objects.last?["problems"] as? [String])
        #expect(problems.contains { $0.hasPrefix("A.a: the attribute type \"Whole\" does not exist") })
        let fine = try await sample.run("check", sample.bundle)
        expectEqual(fine.status, 0)
        expectEqual(fine.output, "\(sample.bundle): ok (1 entity, version App 2 of 2)\n")
    }

    @Test func checkReadsFormatsAndRequests() async throws {
        let sample = try Sample()
        try sample.write(
            Sample.text("<attribute name=\"d\" attributeType=\"Date\" derived=\"YES\" derivationExpression=\"((\"/>")
                .replacing("name != nil", with: "age > 3"),
            to: "App.xcdatamodeld/App.xcdatamodel/contents"
        )
        let object = try #require(try await sample.run("check", sample.bundle, "--json").objects.first)
        let problems = try #require(object["problems"] as? [String])
        expectEqual(problems.count, 1)
        expectEqual(problems.first?.hasPrefix("App: User.d: the expression \"((\" cannot be read"), true)
        let findings = try #require(object["findings"] as? [[String: Any]])
        expectEqual(findings.map { $0["level"] as? String }, ["error", "warning"])
        expectEqual((findings.last?["reason"] as? String)?.hasPrefix("fetch request all: "), true)
        expectEqual(object["entities"] as? Int, 1)
    }

    @Test func checkWarnsOfFlawsThatApplesCompilerAcceptsAndFailsWithStrictOnly() async throws {
        let sample = try Sample()
        try sample.write(
            Sample.text("<attribute name=\"age\" attributeType=\"Integer 16\" defaultValueString=\"NO\"/>"),
            to: "App.xcdatamodeld/App.xcdatamodel/contents"
        )
        let warning =
            "  warning: App: User.age: its default value \"NO\" is not a whole number from -32768 to 32767 and counts as 0. "
            + "Correct it, or take it away.\n"
        let checked = try await sample.run("check", sample.bundle)
        expectEqual(checked.status, 0)
        expectEqual(checked.output, "\(sample.bundle): ok (1 entity, version App 2 of 2, 1 warning)\n" + warning)
        let strict = try await sample.run("check", sample.bundle, "--strict")
        expectEqual(strict.status, 1)
        expectEqual(strict.output, "\(sample.bundle): problems\n" + warning)
        let object = try #require(try await sample.run("check", sample.bundle, "--strict", "--json").objects.first)
        expectEqual(object["ok"] as? Bool, false)
        expectEqual((object["problems"] as? [String])?.count, 1)
        let shown = try await sample.run("show", sample.bundle, "--version", "App")
        #expect(shown.output.contains("Integer 16  default 0\n"))
    }

    @Test func aBrokenVersionIsNamedAndDoesNotStopTheOthers() async throws {
        let sample = try Sample()
        for (name, text) in [
            ("App 3", "<model><entity name=\"A\" parentEntity=\"B\"/></model>"), ("App 4", Sample.text("")),
        ] {
            try sample.write(text, to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        let complaint =
            "\(sample.bundle): version App 3: A: its superentity B is not in the model. Add that entity, or choose another "
            + "superentity.\n"
        let compared = try await sample.run("diff", sample.bundle)
        expectEqual(compared.status, 1)
        expectEqual(compared.errors, complaint)
        #expect(compared.output.contains("App → App 2\n"))
        #expect(compared.output.contains("App 2 → App 4\n"))
        let objects = try await sample.run("diff", sample.bundle, "--json").objects
        expectEqual(objects.map { $0["from"] as? String }, ["App 3", "App", "App 2"])
        expectEqual((objects.first?["error"] as? String)?.contains("version App 3: A: its superentity B"), true)
        #expect(try await sample.run("hash", sample.bundle).status == 0)
        let hashed = try await sample.run("hash", sample.bundle, "--version", "App 3")
        expectEqual(hashed.status, 1)
        expectEqual(hashed.errors, complaint)
        let generated = try await Command.run([sample.bundle, "--all", "-o", sample.path("out")], of: "generate")
        expectEqual(generated.status, 0, "\(generated.errors)")
        let compiled = try await sample.run("compile", sample.bundle)
        expectEqual(compiled.status, 1)
        expectEqual(compiled.errors, complaint)
    }

    @Test func hashGivesTheHashesInBase64() async throws {
        let sample = try Sample()
        let hashed = try await sample.run("hash", sample.bundle, sample.path("none.mom"), "--json")
        expectEqual(hashed.status, 1)
        let object = try #require(hashed.objects.first)
        let bytes: [UInt8] = [
            0x6b, 0x31, 0xf4, 0xe9, 0x7b, 0x69, 0x1d, 0x16, 0xc4, 0xc8, 0x20, 0xba, 0xe5, 0x5f, 0x89, 0x40, 0x8d, 0x47,
            0x01, 0x3b, 0xd4, 0x21, 0x51, 0xec, 0xfd, 0xe1, 0xea, 0xc7, 0xfe, 0x4b, 0xe7, 0x98,
        ]
        expectEqual(object["hashes"] as? [String: String], ["User": Data(bytes).base64EncodedString()])
        expectEqual(object["file"] as? String, sample.bundle)
        expectEqual((object["checksum"] as? String)?.count, 44)
        expectEqual((object["digest"] as? String)?.count, 88)
        expectEqual(hashed.objects.last?["error"] as? String, "the file does not exist. Check the path.")
    }

    @Test func compileWritesModelsThatProgramsLoad() async throws {
        let sample = try Sample()
        let compiled = try await sample.run("compile", sample.bundle, "--json")
        expectEqual(compiled.status, 0)
        expectEqual(compiled.objects.first?["versions"] as? [String], ["App", "App 2"])
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.path("App.momd")).sorted()
        expectEqual(names, ["App 2.mom", "App.mom", "VersionInfo.plist"])
        let list = try #require(
            PropertyListSerialization.propertyList(from: sample.data("App.momd/VersionInfo.plist"), format: nil)
                as? [String: Any]
        )
        expectEqual(list["NSManagedObjectModel_CurrentVersionName"] as? String, "App 2")
        expectEqual(
            (list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])?["App"]?["User"]?.count,
            32
        )
        expectEqual(
            (list["NSManagedObjectModel_VersionChecksums"] as? [String: String])?.keys.sorted(),
            ["App", "App 2"]
        )
        // The file now exists.
        let again = try await sample.run("compile", sample.bundle)
        expectEqual(again.status, 1)
        #expect(again.errors.contains("the file is there already. Choose another name, or --force"))
        #expect(try await sample.run("compile", sample.bundle, "--force").status == 0)
        // One version into an existing folder.
        try FileManager.default.createDirectory(atPath: sample.path("out"), withIntermediateDirectories: true)
        let single = sample.bundle + "/App.xcdatamodel"
        #expect(try await sample.run("compile", single, "-o", sample.path("out")).status == 0)
        try expectEqual(ModelFile.readModel(at: URL(filePath: sample.path("out/App.mom"))).entities.count, 1)
        #expect(try await sample.run("compile", single, "-o", sample.path("x.sqlite")).status == 1)
        try expectEqual(sample.made(), ["App.momd", "out"])
    }

    @Test func convertKeepsTheTextOfVersions() async throws {
        let sample = try Sample()
        let copy = sample.path("Copy.xcdatamodeld")
        #expect(try await sample.run("convert", sample.bundle, copy).status == 0)
        for name in ["App", "App 2"] {
            try expectEqual(
                sample.data("Copy.xcdatamodeld/\(name).xcdatamodel/contents"),
                sample.data("App.xcdatamodeld/\(name).xcdatamodel/contents")
            )
        }
        // A round trip through a compiled model.
        #expect(try await sample.run("convert", copy, sample.path("One.mom"), "--version", "App").status == 0)
        #expect(try await sample.run("convert", sample.path("One.mom"), sample.path("One.xcdatamodeld")).status == 0)
        let one = try ModelFile.readVersionedModel(at: URL(filePath: sample.path("One.xcdatamodeld")))
        expectEqual(one.currentName, "One")
        expectEqual(one.current?.model.entities.first?.attributes.map(\.name), ["name"])
        #expect(try await sample.run("convert", copy, sample.path("contents")).status == 0)
        try expectEqual(sample.data("contents"), sample.data("App.xcdatamodeld/App 2.xcdatamodel/contents"))
        let nameless = try await sample.run("convert", copy, sample.path("model.txt"))
        expectEqual(nameless.status, 1)
        #expect(nameless.errors.contains("Let it end with .xcdatamodeld"))
    }

    @Test func aBrokenModelIsNotWritten() async throws {
        let sample = try Sample()
        try sample.write("<model><entity name=\"A\"", to: "App.xcdatamodeld/App.xcdatamodel/contents")
        let compiled = try await sample.run("compile", sample.bundle)
        expectEqual(compiled.status, 1)
        #expect(compiled.errors.contains("this is not XML: the parser stopped at line 1"))
        try expectEqual(sample.made(), [])
        // --version selects the other version.
        #expect(try await sample.run("compile", sample.bundle, "--version", "App 2").status == 0)
    }

    @Test func theReasonOfAStoreThatCannotBeReadIsGivenOnce() async throws {
        let sample = try Sample()
        let path = sample.path("Damaged.sqlite")
        try Data("SQLite format 3\u{0}rest".utf8).write(to: URL(filePath: path))
        for command in ["show", "hash", "check"] {
            let result = try await sample.run(command, path)
            expectEqual(result.status, 1)
            let parts = (result.output + result.errors).components(separatedBy: "The database's header is damaged.")
            expectEqual(parts.count, 2, "\(result.output)\(result.errors)")
        }
    }

    @Test func aCheckOfAnEmptyNameDoesNotSearchTheCurrentFolder() async throws {
        let sample = try Sample()
        let checked = try await sample.run("check", "", "--json")
        expectEqual(checked.status, 1)
        expectEqual(checked.objects.count, 1)
        expectEqual(checked.objects.first?["problems"] as? [String], ["there is no file without a name."])
    }

    @Test func damagedFilesGiveReasonsAndNoCrash() async throws {
        let sample = try Sample()
        let text = Array(Sample.text("").utf8)
        let model = try ModelFile.readModel(Data(text), file: "")
        let compiled = Array(try ModelFile.compiled(model))
        var number = 0
        for (bytes, file) in [
            (text, "D.xcdatamodel/contents"), (compiled, "D.mom"), (compiled, "D.xcdatamodel/elements"),
        ] {
            for damage in 0..<6 {
                var bytes = bytes
                let place = (number * 7919 + 101) % bytes.count
                switch damage {
                case 0: bytes = Array(bytes.prefix(place))
                case 1: bytes = []
                // Invalid UTF-8 in the middle of a name.
                case 2: bytes[place] = 0xc8
                case 3: bytes = Array("bplist00".utf8) + bytes.prefix(40)
                default: for step in 0..<8 { bytes[(place + step * 31) % bytes.count] ^= UInt8(1 << (step % 7)) }
                }
                number += 1
                try? FileManager.default.removeItem(atPath: sample.path("D.xcdatamodel"))
                try sample.write("", to: file)
                try Data(bytes).write(to: URL(filePath: sample.path(file)))
                let path = file.hasSuffix("mom") ? sample.path(file) : sample.path("D.xcdatamodel")
                for command in ["show", "hash"] {
                    let result = try await sample.run(command, path)
                    #expect(result.status == 0 || result.status == 1 && !result.errors.isEmpty, "\(command) \(damage)")
                }
                let checked = try await sample.run("check", path, "--json")
                #expect([0, 1].contains(checked.status))
                expectEqual(checked.objects.count, 1)
                let written = try await sample.run("convert", path, sample.path("Out.xcdatamodeld"), "--force")
                #expect([0, 1].contains(written.status))
            }
        }
        #expect(try sample.made().allSatisfy { !$0.hasPrefix(".") })
    }
}
