// Tests that a route leads to an older version only on request, and the results and errors of a search for versions.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import ManagedGraphTools
import Testing

struct RouteDirectionTests {
    private func note(_ names: String...) -> String {
        LightweightTests.entity("Note", names.map { RouteTests.attribute($0) }.joined())
    }

    private func hops(_ route: MigrationRoute) -> [String] {
        route.hops.map { "\($0.source.name) \($0.destination.name)" + ($0.mappingName.map { " by \($0)" } ?? "") }
    }

    /// A version unknown to the model: one of its versions with another attribute.
    private func edited(_ version: MigrationVersion, adding name: String) throws -> MigrationVersion {
        var edited = MigrationVersion(name: "own", model: version.model)
        try #require(!edited.model.entities.isEmpty)
        edited.model.entities[0].properties.append(
            .attribute(Attribute(common: PropertyCommon(name: name), type: .string))
        )
        return edited
    }

    @Test func aStoreOfAnUnknownVersionIsNotMigratedToAnOlderOneThatDropsItsValues() throws {
        let versions = try Versions(
            note("a"),
            note("a", "b"),
            note("a", "b", "c"),
            note("a", "b", "c", "d")
        )
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a"], relationships: [], versions)
        let all = try MigrationVersions(at: versions.bundle)
        let own = try edited(all.versions[2], adding: "x")
        try expectEqual(hops(try MigrationRoute.find(from: own, in: all)), ["own V4"])
    }

    @Test func aStoreOfAnUnknownVersionPassesAnotherThatKeepsAllItHas() throws {
        let versions = try Versions(note("a", "b"), note("a", "b", "c"), note("a", "b", "c", "d"))
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a", "b"], relationships: [], versions)
        let all = try MigrationVersions(at: versions.bundle)
        var own = MigrationVersion(name: "own", model: all.versions[0].model)
        own.model.entities[0].properties.removeLast()
        try expectEqual(
            hops(try MigrationRoute.find(from: own, in: all)),
            ["own V1", "V1 V2 by V1ToV2.xcmappingmodel", "V2 V3"]
        )
    }

    @Test func ofVersionsWithEqualHashesTheNewestIsTheStoresOwn() throws {
        let versions = try Versions(note("a"), note("a", "b"), note("a"), note("a", "c"))
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a"], relationships: [], versions)
        try versions.fill { context in context.add("Note", ["a": "kept"]) }
        let all = try MigrationVersions(at: versions.bundle)
        let source = try MigrationSource(versions.store, versions: all)
        expectEqual(source.version.name, "V3")
        try expectEqual(hops(try MigrationRoute.find(from: source.version, in: all)), ["V3 V4"])
        try expectEqual(hops(try MigrationRoute.find(from: all.versions[0], in: all)), ["V1 V4"])
    }

    @Test func anOlderVersionIsReachedIfItIsRequested() throws {
        let versions = try Versions(note("a"), note("a", "b"), note("a", "b", "c"))
        let all = try MigrationVersions(at: versions.bundle, version: "V1")
        try expectEqual(hops(try MigrationRoute.find(from: all.versions[2], in: all)), ["V3 V1"])
    }

    @Test func aRouteOverManyVersionsHashesEachOnce() throws {
        let versions = (0..<60).map { number in
            let attributes = (0...number).map { index in
                Property.attribute(Attribute(common: PropertyCommon(name: "a\(index)"), type: .string))
            }
            return MigrationVersion(
                name: "V\(number)",
                model: Model(entities: [Entity(name: "Note", properties: attributes)])
            )
        }
        let all = MigrationVersions(versions, to: versions[59])
        let work = ModelWork()
        let route = try ModelWork.$current.withValue(work) { try MigrationRoute.find(from: versions[0], in: all) }
        expectEqual(route.hops.count, 1)
        #expect(work.hashings <= 61)
        expectEqual(work.inferences, 1)
    }

    // MARK: Searching

    @Test func aSearchLooksIntoTheFoldersInsideAFolder() throws {
        let versions = try Versions(note("a"), note("a", "b"))
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a"], relationships: [], versions)
        let place = versions.folder.appending(path: "more/mappings")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: versions.folder.appending(path: "V1ToV2.xcmappingmodel"),
            to: place.appending(path: "V1ToV2.xcmappingmodel")
        )
        let all = try MigrationVersions(at: versions.bundle, searching: [versions.folder.appending(path: "more")])
        expectEqual(all.mappings.map(\.name), ["V1ToV2.xcmappingmodel"])
        try expectEqual(
            hops(try MigrationRoute.find(from: all.versions[0], in: all)),
            ["V1 V2 by V1ToV2.xcmappingmodel"]
        )
    }

    @Test func aFolderThatGivesNothingIsAnErrorThatNamesIt() throws {
        let versions = try Versions(note("a"), note("a", "b"))
        let empty = versions.folder.appending(path: "empty/inner")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let error = try #require(throws: ModelFileError.self) { () throws in
            try MigrationVersions(at: versions.bundle, searching: [versions.folder.appending(path: "empty")])
        }
        #expect(error.file.hasSuffix("/empty"))
        #expect(error.reason.hasPrefix("no model and no mapping model was found in this folder"))
    }

    @Test func aBrokenVersionIsReportedAndTheOthersMigrate() throws {
        let versions = try Versions(note("a"), "<entity name=\"Note\" parentEntity=\"Nothing\"/>", note("a", "c"))
        try versions.fill { context in context.add("Note", ["a": "kept"]) }
        let all = try MigrationVersions(at: versions.bundle)
        expectEqual(all.versions.map(\.name), ["V1", "V3"])
        expectEqual(all.unreadable.map(\.version), ["V2"])
        try expectEqual(MigrationRun.run(versions.store, to: all).hops.count, 1)
        try versions.use(3) { context in try expectEqual(context.values("a", "Note"), ["kept"]) }
        // StoreChecker finds the third version despite the broken one.
        let report = StoreChecker(model: versions.bundle).check(versions.store)
        #expect(report.problems.isEmpty, "\(report.problems)")
        let error = try #require(throws: ModelFileError.self) { () throws in
            try MigrationVersions(at: versions.bundle, version: "V2")
        }
        expectEqual(error.version, "V2")
        #expect(error.reason.contains("Nothing"))
    }
}
