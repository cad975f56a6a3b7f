// Tests routes over several versions: the choice of steps, and that the old store stays in place until the last one.
import ExpectationSupport
import Foundation
import GraphModel
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct RouteTests {
    static func attribute(_ name: String, _ type: String = "String", _ more: String = "optional=\"YES\"") -> String {
        "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
    }

    private func note(_ attributes: String...) -> String { LightweightTests.entity("Note", attributes.joined()) }

    private func route(_ versions: Versions, from name: String, search: [URL] = []) throws -> [String] {
        let all = try MigrationVersions(at: versions.bundle, searching: search)
        let source = try #require(all.versions.first { $0.name == name })
        return try MigrationRoute.find(from: source, in: all).hops.map { hop in
            "\(hop.source.name) \(hop.destination.name)" + (hop.mappingName.map { " by \($0)" } ?? "")
        }
    }

    // MARK: Choosing the route

    @Test func oneStepIsTakenIfItCanBeInferred() throws {
        let a = Self.attribute("a")
        let versions = try Versions(note(a), note(a, Self.attribute("b")), note(a, Self.attribute("c")))
        try expectEqual(route(versions, from: "V1"), ["V1 V3"])
        try expectEqual(route(versions, from: "V2"), ["V2 V3"])
        try expectEqual(route(versions, from: "V3"), [])
    }

    @Test func intermediateVersionsAreUsedIfOneStepCannotBeInferred() throws {
        let versions = try versionsOfTwoSteps()
        try expectEqual(route(versions, from: "V1"), ["V1 V2", "V2 V3"])
    }

    @Test func aMappingModelOnTheWayIsNotLeftOut() throws {
        let versions = try Versions(
            note(Self.attribute("a")),
            note(Self.attribute("a"), Self.attribute("b")),
            note(Self.attribute("a"), Self.attribute("b"), Self.attribute("c")),
            note(Self.attribute("a"), Self.attribute("d"))
        )
        try MappingFileText.write("Note", from: 2, to: 3, attributes: ["a", "b"], relationships: [], versions)
        let expected = ["V1 V2", "V2 V3 by V2ToV3.xcmappingmodel", "V3 V4"]
        try expectEqual(route(versions, from: "V1"), expected)
        try expectEqual(route(versions, from: "V3"), ["V3 V4"])
    }

    @Test func aMappingModelOverAllVersionsIsOneStep() throws {
        let versions = try Versions(
            note(Self.attribute("a")),
            note(Self.attribute("a"), Self.attribute("b")),
            note(Self.attribute("a"), Self.attribute("c"))
        )
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a"], relationships: [], versions)
        try MappingFileText.write("Note", from: 1, to: 3, attributes: ["a"], relationships: [], versions)
        try expectEqual(route(versions, from: "V1"), ["V1 V3 by V1ToV3.xcmappingmodel"])
    }

    @Test func theMappingModelOfAnotherModelWithVersionsOfTheSameNamesIsNotUsed() throws {
        let versions = try Versions(
            note(Self.attribute("a"), Self.attribute("b")),
            note(Self.attribute("a"), Self.attribute("b"), Self.attribute("c"))
        )
        try MappingFileText.write(
            "Note",
            from: 1,
            to: 2,
            attributes: ["a"],
            relationships: [],
            versions,
            of: "Other"
        )
        try expectEqual(route(versions, from: "V1"), ["V1 V2"])
    }

    @Test func aMappingModelIsUsedAlsoIfItsModelIsReadAfterIt() throws {
        let versions = try Versions(note(Self.attribute("a")), note(Self.attribute("a"), Self.attribute("b")))
        let others = try Versions(
            note(Self.attribute("c")),
            note(Self.attribute("d")),
            note(Self.attribute("a"), Self.attribute("e"))
        )
        try MappingFileText.write("Note", from: 3, to: 2, attributes: ["a"], relationships: [], versions)
        let mapping = versions.folder.appending(path: "V3ToV2.xcmappingmodel")
        let all = try MigrationVersions(at: versions.bundle, searching: [mapping, others.bundle])
        let source = try #require(all.others.first { $0.name == "V3" })
        let route = try MigrationRoute.find(from: source, in: all)
        expectEqual(route.hops.map(\.mappingName), ["V3ToV2.xcmappingmodel"])
    }

    @Test func eachReasonIsReportedIfThereIsNoRoute() throws {
        let versions = try Versions(
            note(Self.attribute("a"), Self.attribute("b")),
            note(Self.attribute("a", "Integer 16"), Self.attribute("b"), Self.attribute("c", "String", ""))
        )
        let impasse = try #require(throws: MigrationRoute.Impasse.self) { () throws in
            try route(versions, from: "V1")
        }
        expectEqual(impasse.problems.map { "\($0.entity).\($0.property ?? "")" }, ["Note.a", "Note.c"])
        #expect(impasse.problems.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func aVersionThatIsNotThereIsAnErrorThatNamesThoseThatAre() throws {
        let versions = try Versions(note(Self.attribute("a")), note(Self.attribute("b")))
        let error = try #require(throws: (any Error).self) { () throws in
            try MigrationVersions(at: versions.bundle, version: "V7")
        }
        #expect("\(error)".contains("V7") && "\(error)".contains("V1, V2"))
    }

    @Test func aVersionInItsFolderBringsTheOthers() throws {
        let versions = try Versions(note(Self.attribute("a")), note(Self.attribute("b")), note(Self.attribute("c")))
        let all = try MigrationVersions(at: versions.bundle.appending(path: "V2.xcdatamodel/contents"))
        expectEqual(all.destination.name, "V2")
        expectEqual(all.versions.map(\.name), ["V1", "V2", "V3"])
    }

    // MARK: Following the route

    /// An attribute changes its type: the second version is without it.
    private func versionsOfTwoSteps() throws -> Versions {
        try Versions(
            note(Self.attribute("a"), Self.attribute("b")),
            note(Self.attribute("b")),
            note(Self.attribute("b"), Self.attribute("a", "Integer 16"))
        )
    }

    @Test func severalStepsReplaceTheStoreOnceAndKeepItsFilesAndIdentity() throws {
        let photo = Self.attribute("photo", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\"")
        let versions = try Versions(
            note(Self.attribute("a"), photo),
            note(photo),
            note(Self.attribute("a", "Integer 16", "defaultValueString=\"4\""), photo)
        )
        let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try versions.fill { context in for _ in 0..<3 { context.add("Note", ["a": "x", "photo": large]) } }
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: versions.store)
        var done: [Double] = []
        let all = try MigrationVersions(at: versions.bundle)
        let route = try MigrationRun.run(versions.store, to: all) { done.append($0) }
        expectEqual(route.hops.count, 2)
        expectEqual(done.last, 1)
        expectEqual(done, done.sorted())
        #expect(done.contains { $0 > 0 && $0 < 0.5 })
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: versions.store)
        expectEqual(before[NSStoreUUIDKey] as? String, after[NSStoreUUIDKey] as? String)
        try versions.use(3) { context in
            try expectEqual(context.values("a", "Note"), [4, 4, 4])
            try expectEqual(context.values("photo", "Note"), [large, large, large])
        }
        try versions.expectTablesOfNewStore()
        #expect(try leftovers(versions).isEmpty)
    }

    @Test(arguments: [0.2, 0.6, 0.99])
    func aMigrationThatIsCancelledLeavesTheStoreUnchanged(limit: Double) throws {
        struct Enough: Error {}
        let versions = try versionsOfTwoSteps()
        try versions.fill { context in for _ in 0..<20 { context.add("Note", ["a": "x", "b": "y"]) } }
        let all = try MigrationVersions(at: versions.bundle)
        #expect(throws: Enough.self) { () throws in
            try MigrationRun.run(versions.store, to: all) { done in if done > limit { throw Enough() } }
        }
        #expect(try leftovers(versions).isEmpty)
        try versions.use(1) { try expectEqual($0.values("a", "Note"), Array(repeating: "x", count: 20)) }
    }

    @Test func theOldStoreIsKeptOnRequest() throws {
        let versions = try Versions(note(Self.attribute("a")), note(Self.attribute("b")))
        try versions.fill { $0.add("Note", ["a": "x"]) }
        let backup = versions.folder.appending(path: "Old.sqlite")
        let all = try MigrationVersions(at: versions.bundle)
        try MigrationRun.run(versions.store, to: all, backup: backup)
        let context = try versions.open(1, at: backup, migrates: false)
        try context.performAndWait { () throws in try expectEqual(context.values("a", "Note"), ["x"]) }
        #expect(throws: (any Error).self) { () throws in
            try MigrationRun.run(backup, to: all, backup: versions.store)
        }
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType])
    func storesOfOtherKindsGoTheSameWay(type: String) throws {
        let versions = try versionsOfTwoSteps()
        let url = versions.folder.appending(path: "Other.store")
        try use(1, of: versions, type, at: url) { $0.add("Note", ["a": "x", "b": "y"]) }
        let route = try MigrationRun.run(url, to: try MigrationVersions(at: versions.bundle))
        expectEqual(route.hops.count, 2)
        try use(3, of: versions, type, at: url) { context in
            try expectEqual(context.values("b", "Note"), ["y"])
            try expectEqual(context.values("a", "Note"), [Int?.none])
        }
        #expect(try leftovers(versions, besides: ["Other.store"]).isEmpty)
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType])
    func aSaveOfAnotherProgramDuringTheStepsIsNotReplaced(type: String) throws {
        let versions = try versionsOfTwoSteps()
        let url = versions.folder.appending(path: "Other.store")
        try use(1, of: versions, type, at: url) { $0.add("Note", ["a": "x", "b": "y"]) }
        let all = try MigrationVersions(at: versions.bundle)
        var isSaved = false
        let error = try #require(throws: NSError.self) { () throws in
            try MigrationRun.run(url, to: all) { _ in
                guard !isSaved else { return }
                isSaved = true
                try use(1, of: versions, type, at: url) { $0.add("Note", ["a": "z", "b": "w"]) }
            }
        }
        expectEqual(error.code, NSMigrationError)
        #expect(error.localizedDescription.contains("another program has changed it"), "\(error)")
        try use(1, of: versions, type, at: url) { context in
            let saved: [String?] = try context.values("a", "Note")
            expectEqual(Set(saved), ["x", "z"])
        }
        #expect(try leftovers(versions, besides: ["Other.store"]).isEmpty)
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType])
    func aStoreThatALinkLeadsToIsCopiedForARehearsalAndForABackup(type: String) throws {
        let versions = try Versions(note(Self.attribute("a")), note(Self.attribute("a"), Self.attribute("b")))
        let url = versions.folder.appending(path: "Other.store")
        try use(1, of: versions, type, at: url) { $0.add("Note", ["a": "x"]) }
        let link = versions.folder.appending(path: "Link.store")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let before = try Data(contentsOf: url)
        let all = try MigrationVersions(at: versions.bundle)
        let report = try MigrationRehearsal.rehearse(link, to: all, difference: { _ in })
        #expect(report.problems.isEmpty)
        try expectEqual(Data(contentsOf: url), before)
        let backup = versions.folder.appending(path: "Old.store")
        try MigrationRun.run(link, to: all, backup: backup)
        try expectEqual(Data(contentsOf: backup), before)
        try use(2, of: versions, type, at: url) { try expectEqual($0.values("a", "Note"), ["x"]) }
    }

    /// Opens a store that is not a SQLite store with a version, and saves the changes.
    private func use(
        _ number: Int,
        of versions: Versions,
        _ type: String,
        at url: URL,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(number))
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            try body(context)
            if context.hasChanges { try context.save() }
        }
        try coordinator.remove(store)
    }

    /// New files beside the store.
    private func leftovers(_ versions: Versions, besides known: Set<String> = []) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: versions.folder.path).filter { name in
            name != "Model.xcdatamodeld" && !name.hasPrefix("Store.sqlite") && !name.hasPrefix("Fresh-")
                && !name.hasPrefix(".Fresh-") && name != ".Store_SUPPORT" && !known.contains(name)
        }
    }
}
