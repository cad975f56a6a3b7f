// Tests `managedgraph model` with mapping models: show, check, hashes and compile.
import ExpectationSupport
import Foundation
import GraphModelFiles
import ManagedGraph
import Testing

struct MappingCommandTests {
    /// A folder with `Tasks.xcdatamodeld` and the mapping model `Rename.xcmappingmodel`, written as the editor does.
    private final class Sample {
        let folder = Command.folder.appending(path: "mapping-\(UUID().uuidString)")
        var mapping: String { folder.appending(path: "Rename.xcmappingmodel").path }

        init(mappingName: String = "") throws {
            func object(_ kind: String, _ id: Int, _ content: String) -> String {
                "<object type=\"\(kind)\" id=\"z\(id)\">\(content)</object>"
            }
            func value(_ name: String, _ text: String) -> String {
                "<attribute name=\"\(name)\" type=\"string\">\(text)</attribute>"
            }
            let text =
                "<?xml version=\"1.0\"?><database>"
                + object(
                    "XDDEVMAPPINGMODEL",
                    100,
                    value("sourcemodelpath", "Tasks.xcdatamodeld/Tasks.xcdatamodel")
                        + value("destinationmodelpath", "Tasks.xcdatamodeld/Tasks 2.xcdatamodel")
                )
                + object(
                    "XDDEVENTITYMAPPING",
                    101,
                    value("name", "TaskToJob") + value("sourcename", "Task") + value("destinationname", "Job")
                        + value("migrationpolicyclassname", "App.Policy")
                        + value("sourcefilterpredicatestring", "done == NO")
                        + "<relationship name=\"attributemappings\" idrefs=\"z102\"/>"
                        + "<relationship name=\"relationshipmappings\" idrefs=\"z103\"/>"
                )
                + object("XDDEVATTRIBUTEMAPPING", 102, value("name", "title"))
                + object(
                    "XDDEVRELATIONSHIPMAPPING",
                    103,
                    value("name", "parts")
                        + value("sourcemappingname", mappingName.isEmpty ? "TaskToJob" : mappingName)
                ) + "</database>"
            let url = folder.appending(path: "Rename.xcmappingmodel")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url.appending(path: "xcmapping.xml"))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func run(_ arguments: String...) async throws -> Command { try await Command.run(arguments, of: "model") }
    }

    @Test func showListsTheDestinationOfEachEntityAndProperty() async throws {
        let sample = try Sample()
        let shown = try await sample.run("show", sample.mapping)
        expectEqual(shown.status, 0, "\(shown.errors)")
        #expect(shown.output.contains("Rename.xcmappingmodel: mapping model\n"))
        #expect(shown.output.contains("TaskToJob  custom, Task → Job, policy App.Policy, where done == NO\n"))
        #expect(shown.output.contains("  parts  FUNCTION($manager, \"destinationInstancesForEntityMappingNamed"))
        let object = try #require(try await sample.run("show", sample.mapping, "--json").objects.first)
        let mapping = try #require((object["mappings"] as? [[String: Any]])?.first)
        expectEqual(mapping["kind"] as? String, "custom")
        expectEqual(mapping["source"] as? String, "Task")
        expectEqual((mapping["relationships"] as? [[String: Any]])?.count, 1)
    }

    @Test func checkReportsMappingModelsInAFolderToo() async throws {
        let sample = try Sample(mappingName: "Nowhere")
        let checked = try await sample.run("check", sample.folder.path)
        expectEqual(checked.status, 0, "\(checked.output)")
        #expect(checked.output.contains("Rename.xcmappingmodel: ok (1 entity mapping, 2 warnings)\n"))
        #expect(
            checked.output.contains(
                "  warning: TaskToJob.parts: it leads to the entity mapping Nowhere, which does not exist."
            )
        )
        #expect(checked.output.contains("  warning: no models are saved in it"))
        #expect(try await sample.run("check", sample.mapping, "--strict").status == 1)
        try Data("<database/>".utf8).write(to: URL(filePath: sample.mapping).appending(path: "xcmapping.xml"))
        let broken = try await sample.run("check", sample.mapping, "--json")
        expectEqual(broken.status, 1)
        expectEqual(broken.objects.first?["kind"] as? String, "mapping")
        expectEqual((broken.objects.first?["problems"] as? [String])?.first?.contains("not a mapping model"), true)
    }

    @Test func compileFindsTheModelsBesideTheMapping() async throws {
        let sample = try Sample()
        for (version, entity) in [("Tasks", "Task"), ("Tasks 2", "Job")] {
            let folder = sample.folder.appending(path: "Tasks.xcdatamodeld/\(version).xcdatamodel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = """
                <?xml version="1.0"?><model><entity name="\(entity)">
                <attribute name="title" optional="YES" attributeType="String"/></entity></model>
                """
            try Data(text.utf8).write(to: folder.appending(path: "contents"))
        }
        let compiled = try await sample.run("compile", sample.mapping)
        expectEqual(compiled.status, 0)
        expectEqual(compiled.errors, "")
        let mapping = try #require(NSMappingModel(contentsOf: sample.folder.appending(path: "Rename.cdm")))
        let entity = try #require(mapping.entityMappings?.first)
        expectEqual(entity.sourceEntityVersionHash?.count, 32)
        expectEqual(entity.destinationEntityVersionHash?.count, 32)
        #expect(entity.attributeMappings?.first?.valueExpression != nil)
    }

    @Test func compileAndConvertWriteACompiledMappingThatSaysTheSame() async throws {
        let sample = try Sample()
        let compiled = try await sample.run("compile", sample.mapping)
        expectEqual(compiled.status, 0, "\(compiled.errors)")
        #expect(compiled.errors.contains("nor are Tasks.xcdatamodeld/Tasks.xcdatamodel and"), "\(compiled.errors)")
        let file = sample.folder.appending(path: "Rename.cdm")
        let (one, other) = (
            try #require(NSMappingModel(contentsOf: URL(filePath: sample.mapping))),
            try #require(NSMappingModel(contentsOf: file))
        )
        for (one, other) in zip(one.entityMappings, other.entityMappings) {
            expectEqual(one.name, other.name)
            expectEqual(one.mappingType, other.mappingType)
            expectEqual(one.sourceExpression?.description, other.sourceExpression?.description)
            expectEqual(one.entityMigrationPolicyClassName, other.entityMigrationPolicyClassName)
            let pairs = zip(one.relationshipMappings ?? [], other.relationshipMappings ?? [])
            for (one, other) in pairs {
                expectEqual(one.name, other.name)
                expectEqual(one.valueExpression?.description, other.valueExpression?.description)
            }
        }
        let again = try await sample.run("convert", sample.mapping, file.path)
        expectEqual(again.status, 1)
        #expect(again.errors.contains("the file is there already"))
        #expect(try await sample.run("convert", sample.mapping, file.path, "--force").status == 0)
        let wrong = try await sample.run("convert", sample.mapping, sample.folder.appending(path: "X.mom").path)
        expectEqual(wrong.status, 1)
        #expect(wrong.errors.contains("a mapping model is written as a .cdm only"))
        let shown = try await sample.run("show", file.path, "--json")
        let mapping = try #require((shown.objects.first?["mappings"] as? [[String: Any]])?.first)
        expectEqual(mapping["kind"] as? String, "custom")
        expectEqual(mapping["filter"] as? String, "done == NO")
        let hashed = try await sample.run("hash", file.path, "--json")
        #expect(hashed.status == 0 && hashed.objects.first?["source"] as? [String: String] == [:])
    }
}
