// Tests `managedgraph model diff` as a separate process.
import ExpectationSupport
import Foundation
import Testing

@Suite("managedgraph model diff")
struct ModelDiffTests {
    private static let first = """
        <entity name="Task" representedClassName="Task" syncable="YES">
            <attribute name="name" attributeType="String"/>
            <attribute name="done" attributeType="Boolean" usesScalarValueType="YES"/>
            <attribute name="priority" attributeType="Integer 16" usesScalarValueType="YES" defaultValueString="1"/>
            <attribute name="note" optional="YES" attributeType="String"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
        inverseName="task" inverseEntity="Tag"/>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="task" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Task" \
        inverseName="tags" inverseEntity="Task"/>
        </entity>
        """

    private func changed(_ changes: (String, String)...) -> String {
        changes.reduce(Self.first) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    private func diff(_ second: String, _ arguments: [String] = []) async throws -> Command {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let one = try samples.model(Self.first, named: "One")
        let two = try samples.model(second, named: "Two")
        return try await Command.run(["diff", one, two] + arguments, of: "model")
    }

    @Test("Equal models have no difference, and the status is 0")
    func equal() async throws {
        let result = try await diff(Self.first)
        #expect(result.output.hasSuffix("Two.xcdatamodel\n  no difference\n"), "\(result.output)")
        #expect(result.errors.isEmpty)
        expectEqual(result.status, 0)
        let json = try #require(try await diff(Self.first, ["--json"]).objects.first)
        expectEqual(json["equal"] as? Bool, true)
        expectEqual(json["lightweight"] as? Bool, true)
        #expect(json["error"] is NSNull)
    }

    @Test("Additions, removals and renames are reported, and that lightweight migration is possible")
    func allowed() async throws {
        let second = changed(
            (
                #"<attribute name="name" attributeType="String"/>"#,
                #"<attribute name="title" elementID="name" attributeType="String"/>"#
            ),
            (
                #"<attribute name="note" optional="YES" attributeType="String"/>"#,
                #"<attribute name="due" optional="YES" attributeType="Date" usesScalarValueType="NO"/>"#
            )
        )
        let result = try await diff(second)
        #expect(
            result.output.hasSuffix(
                """
                  ~ Task
                      - note: String, optional
                      ~ title (was name): renamingIdentifier none → name °
                      + due: Date, optional
                  lightweight migration can do it

                """
            ),
            "\(result.output)"
        )
        expectEqual(result.status, 0)
    }

    @Test("Differences that hashes do not cover are marked, and need no migration")
    func unseen() async throws {
        let second = changed(
            (#"defaultValueString="1""#, #"defaultValueString="2""#),
            (#"toMany="YES" deletionRule="Nullify""#, #"toMany="YES" deletionRule="Cascade""#)
        )
        let result = try await diff(second)
        #expect(
            result.output.hasSuffix(
                """
                  ~ Task °
                      ~ priority: default 1 → 2 °
                      ~ tags: deleteRule Nullify → Cascade °
                  no migration is needed: the version hashes are the same

                """
            ),
            "\(result.output)"
        )
        let json = try #require(try await diff(second, ["--json"]).objects.first)
        expectEqual(json["hashesEqual"] as? Bool, true)
        expectEqual(json["equal"] as? Bool, false)
    }

    @Test("A refusal names entity, property, reason and remedy, with a guess if a property seems to be renamed")
    func refused() async throws {
        let second = changed(
            (
                #"<attribute name="done" attributeType="Boolean" usesScalarValueType="YES"/>"#,
                #"<attribute name="isDone" attributeType="Boolean" usesScalarValueType="YES"/>"#
            ),
            (#"name="priority" attributeType="Integer 16""#, #"name="priority" attributeType="String""#),
            (#"<attribute name="note" optional="YES""#, #"<attribute name="note""#),
            (#"optional="YES" toMany="YES""#, #"optional="YES" maxCount="1""#)
        )
        let result = try await diff(second, ["--json"])
        expectEqual(result.status, 1)
        #expect(result.errors.isEmpty)
        let json = try #require(result.objects.first)
        expectEqual(json["lightweight"] as? Bool, false)
        let refusals = try #require(json["refusals"] as? [[String: String]])
        let remedies = Dictionary(
            refusals.map { ("\($0["entity"] ?? "").\($0["property"] ?? "")", $0["remedy"] ?? "") }
        ) { $1 }
        expectEqual(Set(remedies.keys), ["Task.isDone", "Task.priority", "Task.note", "Task.tags"])
        expectEqual(
            remedies["Task.isDone"]?.hasSuffix("if it replaces done, set its renaming identifier to done."),
            true
        )
        expectEqual(remedies["Task.priority"]?.hasPrefix("Keep priority as Integer 16 and add an attribute"), true)
        expectEqual(remedies["Task.note"]?.hasPrefix("Give note a default value"), true)
        expectEqual(remedies["Task.tags"]?.hasPrefix("Keep tags to-many"), true)
        let notes = try #require(json["notes"] as? [String])
        #expect(notes.count == 1 && notes[0].hasPrefix("Task.isDone looks like done, whose values are removed"))
    }

    @Test("An entity that seems to be renamed is noted")
    func renamedEntity() async throws {
        let second = Self.first.replacingOccurrences(of: #""Task""#, with: #""Item""#)
        let result = try await diff(second)
        #expect(result.output.contains("note: Item looks like Task, whose objects are removed"), "\(result.output)")
        let told = second.replacingOccurrences(
            of: #"<entity name="Item""#,
            with: #"<entity name="Item" elementID="Task""#
        )
        let renamed = try await diff(told)
        #expect(renamed.output.contains("~ Item (was Task)") && !renamed.output.contains("note:"))
        expectEqual(renamed.status, 0)
    }

    @Test("Compares parents, constraints, indexes and configurations, and reports a property moved to the parent")
    func structure() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let old = """
            <entity name="Base" representedClassName="Base" isAbstract="YES" syncable="YES"/>
            <entity name="Leaf" representedClassName="Leaf" parentEntity="Base" syncable="YES">
                <attribute name="code" optional="YES" attributeType="String"/>
                <attribute name="size" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
            </entity>
            <configuration name="Cloud"><memberEntity name="Leaf"/></configuration>
            """
        let new = """
            <entity name="Base" representedClassName="Base" isAbstract="YES" syncable="YES">
                <attribute name="code" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Leaf" representedClassName="Leaf" parentEntity="Base" syncable="YES">
                <attribute name="size" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
                <fetchIndex name="bySize"><fetchIndexElement property="size" type="Binary" order="descending"/></fetchIndex>
                <uniquenessConstraints><uniquenessConstraint><constraint value="size"/></uniquenessConstraint>\
            </uniquenessConstraints>
            </entity>
            <configuration name="Cloud"><memberEntity name="Base"/><memberEntity name="Leaf"/></configuration>
            """
        let model = try samples.versions([("Sample", old), ("Sample 2", new)])
        let result = try await Command.run(["diff", model], of: "model")
        expectEqual(
            result.output,
            """
            Sample → Sample 2
              ~ Base
                  ~ code (moved from Leaf)
              ~ Leaf
                  ~ constraints none → size
                  ~ indexes none → bySize(size descending) °
              ~ configuration Cloud Leaf → Base, Leaf °
              lightweight migration can do it

            """,
            "\(result.output)"
        )
        let named = try await Command.run(["diff", model, "--from", "Sample 2", "--to", "Sample"], of: "model")
        #expect(named.output.hasPrefix("Sample 2 → Sample\n"))
        let unknown = try await Command.run(["diff", model, "--from", "Sample 3", "--to", "Sample"], of: "model")
        #expect(unknown.errors.contains("there is no version Sample 3. Choose one of Sample, Sample 2."))
        expectEqual(unknown.status, 1)
    }

    @Test(
        "A missing path, a file that is not a model and a single version are reported on standard error, with status 1"
    )
    func wrongInput() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let model = try samples.model(Self.first)
        let missing = try await Command.run(["diff", model, "/nowhere/x.xcdatamodel"], of: "model")
        #expect(missing.errors.hasPrefix("/nowhere/x.xcdatamodel: "))
        expectEqual(missing.status, 1)
        #expect(missing.output.isEmpty)
        let text = try samples.write("no model", to: "text.txt")
        let wrong = try await Command.run(["diff", "--json", text, model], of: "model")
        expectEqual((wrong.objects.first?["error"] as? String)?.hasPrefix("\(text): "), true)
        expectEqual(wrong.status, 1)
        let single = try await Command.run(["diff", model], of: "model")
        #expect(single.errors.contains("it has one version only"))
        expectEqual(single.status, 1)
        #expect(try await Command.run(["diff"], of: "model").status == 64)
        #expect(try await Command.run(["diff", model, "--from", "x"], of: "model").status == 64)
    }
}
