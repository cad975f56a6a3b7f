// Tests `managedgraph migrate` as a separate process: its output, its files and its exit status.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct MigrateCommandTests {
    private func run(_ arguments: String...) async throws -> Command {
        try await Command.run(arguments, of: "migrate")
    }

    @Test func aPlanListsAdditionsAndTheSQLAndWritesNothing() async throws {
        let files = try VersionedStore()
        let before = try Data(contentsOf: files.store)
        let result = try await run(files.store.path, "--to", files.model.path, "--plan")
        expectEqual(result.status, 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("Tasks → Tasks 2"))
        #expect(result.output.contains("+ rank: Integer 16, required, default 3"))
        #expect(result.output.contains("ALTER TABLE ZTASK ADD COLUMN ZRANK"))
        #expect(result.output.contains("The migration is possible."))
        try expectEqual(Data(contentsOf: files.store), before)
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func aPlanInJSONIsOneObject() async throws {
        let files = try VersionedStore()
        let result = try await run(files.store.path, "--to", files.model.path, "--plan", "--json")
        let object = try #require(result.objects.first)
        expectEqual(result.objects.count, 1)
        expectEqual(result.status, 0)
        expectEqual(object["from"] as? String, "Tasks")
        expectEqual(object["to"] as? String, "Tasks 2")
        expectEqual(object["possible"] as? Bool, true)
        expectEqual(object["store"] as? String, files.store.path)
        let steps = try #require(object["steps"] as? [[String: Any]])
        let entities = try #require(steps.first?["entities"] as? [[String: Any]])
        expectEqual(entities.first?["rows"] as? Int, 3)
        expectEqual((steps.first?["statements"] as? [String])?.isEmpty, false)
    }

    @Test func aMigrationThatCannotBeInferredIsReportedWithItsReasonAndTheStatusOne() async throws {
        let title = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
        let files = try VersionedStore(title, "<attribute name=\"title\" optional=\"YES\" attributeType=\"Date\"/>")
        let plan = try await run(files.store.path, "--to", files.model.path, "--plan")
        expectEqual(plan.status, 1)
        #expect(plan.output.contains("Task.title") && plan.output.contains("There is no way"))
        let result = try await run(files.store.path, "--to", files.model.path)
        expectEqual(result.status, 1)
        #expect(result.errors.contains("Task.title"))
        try files.use("Tasks") { context throws in
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Task")), 3)
        }
    }

    @Test func aDryRunReportsEachObjectAndLeavesTheStore() async throws {
        let files = try VersionedStore()
        let before = try Data(contentsOf: files.store)
        let text = try await run(files.store.path, "--to", files.model.path, "--dry-run")
        expectEqual(text.status, 0)
        #expect(text.output.contains("+ rank: 3") && text.output.contains("Every object is there afterwards."))
        let result = try await run(files.store.path, "--to", files.model.path, "--dry-run", "--json")
        expectEqual(result.objects.count, 4)
        expectEqual(result.status, 0)
        let changes = try #require(result.objects.first?["changes"] as? [[String: Any]])
        expectEqual(changes.first?["property"] as? String, "rank")
        expectEqual(changes.first?["new"] as? String, "3")
        expectEqual((result.objects.last?["problems"] as? [String])?.isEmpty, true)
        try expectEqual(Data(contentsOf: files.store), before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path).count <= 4)
    }

    @Test func valuesOfRowsDoNotControlTheTerminal() async throws {
        let files = try VersionedStore(
            "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>",
            "<attribute name=\"rank\" optional=\"YES\" attributeType=\"Integer 16\"/>",
            count: 1
        )
        try files.use("Tasks") { context in
            context.make("Task", ["title": "\u{1B}[2Jgone\nnext"])
            try context.save()
        }
        let result = try await run(files.store.path, "--to", files.model.path, "--dry-run")
        expectEqual(result.status, 0, "\(result.errors)")
        #expect(result.output.contains("- title: \"\\u{1B}[2Jgone\\nnext\""), "\(result.output)")
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func aMigrationMigratesAndASecondOneHasNothingToDo() async throws {
        let files = try VersionedStore()
        let backup = files.folder.appending(path: "Old.sqlite")
        let result = try await run(files.store.path, "--to", files.model.path, "--backup", backup.path)
        expectEqual(result.status, 0, "\(result.errors)")
        #expect(result.output.contains("migrated from Tasks to Tasks 2"), "\(result.errors)")
        try files.use("Tasks 2") { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
            #expect(try context.fetch(request).allSatisfy { $0.value(forKey: "rank") as? Int == 3 })
        }
        #expect(FileManager.default.fileExists(atPath: backup.path))
        let again = try await run(files.store.path, "--to", files.model.path, "--json")
        expectEqual(again.objects.first?["migrated"] as? Bool, false)
        expectEqual(again.status, 0)
        let plan = try await run(files.store.path, "--to", files.model.path, "--plan")
        expectEqual(plan.status, 0)
        #expect(plan.output.contains("nothing to do"))
    }

    @Test func theStoresOwnModelIsEnoughIfItsVersionIsGone() async throws {
        let files = try VersionedStore()
        try FileManager.default.removeItem(at: files.model.appending(path: "Tasks.xcdatamodel"))
        let plan = try await run(files.store.path, "--to", files.model.path, "--plan")
        expectEqual(plan.status, 0)
        #expect(plan.output.contains("known from the store itself"))
        let result = try await run(files.store.path, "--to", files.model.path)
        expectEqual(result.status, 0)
    }

    @Test func aVersionInAnotherFolderIsFoundIfTheCommandNamesIt() async throws {
        let files = try VersionedStore()
        let other = files.folder.appending(path: "Old")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: files.model.appending(path: "Tasks.xcdatamodel"),
            to: other.appending(path: "First.xcdatamodel")
        )
        let result = try await run(files.store.path, "--to", files.model.path, "--search", other.path, "--plan")
        expectEqual(result.status, 0)
        #expect(result.output.contains("First → Tasks 2"))
    }

    @Test func wrongInputIsReportedWithTheFile() async throws {
        let files = try VersionedStore()
        let missing = try await run(files.folder.appending(path: "No.sqlite").path, "--to", files.model.path)
        expectEqual(missing.status, 1)
        #expect(missing.errors.contains("No.sqlite"))
        let noModel = try await run(files.store.path, "--to", "/nowhere/No.xcdatamodeld")
        expectEqual(noModel.status, 1)
        #expect(noModel.errors.contains("/nowhere/No.xcdatamodeld"))
        let noVersion = try await run(files.store.path, "--to", files.model.path, "--version", "Tasks 9")
        expectEqual(noVersion.status, 1)
        #expect(noVersion.errors.contains("Tasks, Tasks 2"))
        let both = try await run(files.store.path, "--to", files.model.path, "--plan", "--dry-run")
        expectEqual(both.status, 64)
        let none = try await run(files.store.path)
        expectEqual(none.status, 64)
        #expect(none.errors.contains("--to"))
        let text = files.folder.appending(path: "Text.sqlite")
        try Data("no store".utf8).write(to: text)
        let foreign = try await run(text.path, "--to", files.model.path)
        expectEqual(foreign.status, 1)
        #expect(foreign.errors.contains("Text.sqlite"))
        try expectEqual(String(contentsOf: text, encoding: .utf8), "no store")
    }

    @Test func aBackupIsNotWrittenOverAnotherFile() async throws {
        let files = try VersionedStore()
        let backup = files.folder.appending(path: "Precious.txt")
        try Data("precious".utf8).write(to: backup)
        let result = try await run(files.store.path, "--to", files.model.path, "--backup", backup.path)
        expectEqual(result.status, 1)
        try expectEqual(String(contentsOf: backup, encoding: .utf8), "precious")
        try files.use("Tasks") { context throws in
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Task")), 3)
        }
    }

    /// Begins a migration in a terminal, and sends a signal once it shows its progress.
    private func interrupt(_ number: Int32) async throws -> (files: VersionedStore, screen: String, status: Int32) {
        // The first attribute is removed, so that every row is rewritten.
        let files = try VersionedStore(
            "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>",
            "<attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"3\"/>",
            count: 40_000
        )
        let command = try TerminalCommand(
            ["migrate", files.store.path, "--to", files.model.path],
            // The progress follows the path, however long that is.
            width: 250,
            interruption: (number, "%")
        )
        let result = await command.finish()
        return (files, result.screen, result.status)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func anInterruptedMigrationLeavesTheStoreUnchanged(number: Int32) async throws {
        var result = try await interrupt(number)
        // On a busy machine a migration may be complete before the signal arrives.
        for _ in 1...3 where result.status == 0 { result = try await interrupt(number) }
        let files = result.files
        expectEqual(result.status, 130, "\(result.screen)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: files.folder.path).allSatisfy { !$0.hasPrefix(".") }
        )
        try files.use("Tasks") { context throws in
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Task")), 40_000)
        }
    }
}
