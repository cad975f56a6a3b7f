// Tests `managedgraph generate` as a separate process.
import ExpectationSupport
import Foundation
import Testing

@Suite("managedgraph generate")
struct GenerateTests {
    private static let entities = """
        <entity name="Task" representedClassName="Task" syncable="YES" codeGenerationType="class">
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
        inverseName="task" inverseEntity="Tag"/>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES" codeGenerationType="category">
            <relationship name="task" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Task" \
        inverseName="tags" inverseEntity="Task"/>
        </entity>
        <entity name="Place" representedClassName="Place" syncable="YES"/>
        """

    private func actions(_ command: Command) -> [String] {
        command.objects.map { object in
            let file = URL(fileURLWithPath: object["file"] as? String ?? "").lastPathComponent
            return "\(object["action"] as? String ?? "") \(file)"
        }
    }

    @Test("Each entity gets the files that its Codegen setting requires; with --all every class gets both")
    func files() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let model = try samples.versions([("Sample", ""), ("Sample 2", Self.entities)])
        let folder = samples.folder.appending(path: "Classes").path
        let result = try await Command.run([model, "--output", folder, "--json"], of: "generate")
        expectEqual(
            actions(result),
            [
                "written Task+CoreDataClass.swift", "written Task+CoreDataProperties.swift",
                "written Tag+CoreDataProperties.swift",
            ],
            "\(result.output)\(result.errors)"
        )
        expectEqual(result.status, 0)
        #expect(result.errors.isEmpty)
        let properties = try samples.read("Classes/Task+CoreDataProperties.swift")
        #expect(
            properties.contains("    @NSManaged public var tags: NSSet?\n") && properties.hasPrefix("import CoreData\n")
        )
        let all = try await Command.run([model, "-o", folder, "--json", "--all"], of: "generate")
        expectEqual(
            actions(all),
            [
                "unchanged Task+CoreDataClass.swift", "unchanged Task+CoreDataProperties.swift",
                "written Tag+CoreDataClass.swift", "unchanged Tag+CoreDataProperties.swift",
                "written Place+CoreDataClass.swift", "written Place+CoreDataProperties.swift",
            ]
        )
    }

    @Test(
        "A class that was edited or is in another file is kept, unchanged files keep their dates, --force rewrites them"
    )
    func keeping() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let model = try samples.model(Self.entities)
        let folder = samples.folder.appending(path: "Classes").path
        let edited = "import CoreData\n\n// Mine.\npublic class Task: NSManagedObject {}\n"
        try samples.write(edited, to: "Classes/Task+CoreDataClass.swift")
        try samples.write("import CoreData\nclass Place: NSManagedObject {}\n", to: "Classes/Models.swift")
        try samples.write("// Old.\n", to: "Classes/Tag+CoreDataProperties.swift")
        let first = try await Command.run([model, "-o", folder, "--all"], of: "generate")
        expectEqual(
            first.output,
            """
            kept \(folder)/Task+CoreDataClass.swift
            written \(folder)/Task+CoreDataProperties.swift
            written \(folder)/Tag+CoreDataClass.swift
            renewed \(folder)/Tag+CoreDataProperties.swift
            kept \(folder)/Models.swift
            written \(folder)/Place+CoreDataProperties.swift

            """
        )
        try expectEqual(samples.read("Classes/Task+CoreDataClass.swift"), edited)
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        let path = "\(folder)/Task+CoreDataProperties.swift"
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        _ = try await Command.run([model, "-o", folder, "--all"], of: "generate")
        try expectEqual(FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date, date)
        let forced = try await Command.run([model, "-o", folder, "--force", "--json"], of: "generate")
        expectEqual(actions(forced).first, "renewed Task+CoreDataClass.swift")
        try expectEqual(samples.read("Classes/Task+CoreDataClass.swift").contains("// Mine."), false)
    }

    @Test("The remedy for a model without classes to write fits the model")
    func nothingToWrite() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let manual = try samples.versions(
            [("A", "<entity name=\"Place\" representedClassName=\"Place\"/>")],
            named: "A"
        )
        let asked = try await Command.run([manual], of: "generate")
        expectEqual(asked.status, 1)
        #expect(asked.errors.contains("Give --all"), "\(asked.errors)")
        let unnamed = try samples.versions([("B", "<entity name=\"Place\"/>")], named: "B")
        for arguments in [[unnamed], [unnamed, "--all"]] {
            let result = try await Command.run(arguments, of: "generate")
            expectEqual(result.status, 1)
            #expect(result.errors.contains("no entity names a class."), "\(result.errors)")
        }
    }

    @Test("--access sets the access level of members, and --dry-run writes nothing")
    func options() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let model = try samples.model(Self.entities)
        let folder = samples.folder.appending(path: "Classes").path
        let trial = try await Command.run([model, "-o", folder, "--dry-run"], of: "generate")
        #expect(trial.output.hasPrefix("written "))
        expectEqual(trial.status, 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
        _ = try await Command.run(
            [model, "-o", folder, "--access", "internal", "--import", "ManagedGraph"],
            of: "generate"
        )
        let text = try samples.read("Classes/Task+CoreDataProperties.swift")
        #expect(text.contains("    @NSManaged var title: String?\n") && !text.contains("public"))
        #expect(text.hasPrefix("import ManagedGraph\n"))
    }

    @Test(
        "A missing model, a file that is not a model, a model of manual classes and a read-only folder are errors"
    )
    func wrongInput() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let missing = try await Command.run(["/nowhere/x.xcdatamodeld"], of: "generate")
        #expect(missing.errors.hasPrefix("/nowhere/x.xcdatamodeld: "))
        expectEqual(missing.status, 1)
        #expect(missing.output.isEmpty)
        let text = try samples.write("no model", to: "text.xcdatamodel/contents")
        let none = try await Command.run([text], of: "generate")
        #expect(none.errors.hasPrefix("\(text): "))
        expectEqual(none.status, 1)
        let manual = try samples.model(#"<entity name="A" representedClassName="A" syncable="YES"/>"#, named: "Manual")
        let nothing = try await Command.run([manual], of: "generate")
        #expect(nothing.errors.contains("--all"))
        expectEqual(nothing.status, 1)
        let model = try samples.model(Self.entities)
        let file = try samples.write("", to: "taken")
        let taken = try await Command.run([model, "-o", file], of: "generate")
        #expect(taken.errors.hasPrefix("\(file): "))
        expectEqual(taken.status, 1)
        let version = try await Command.run([model, "--version", "9"], of: "generate")
        #expect(version.errors.contains("there is no version 9"))
        expectEqual(version.status, 1)
        #expect(try await Command.run([model, "--language", "objc"], of: "generate").status == 64)
    }
}
