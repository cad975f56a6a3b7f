// Tests models in all their forms: Xcode's files, those from before Xcode 4, compiled ones, and their version hashes.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import Testing

struct ModelFileTests {
    /// The hashes by make.py, which computes them with Python's SHA-256.
    private static let hashes: [String: [String: String]] = [
        "Harbour": [
            "Berth": "zFbyoaiPJC6245wr9X69ypsZ/a9VgYQvZKbByUktQo8=",
            "Buoy": "+/q8zBUwy/KRQ3Fh/VLOHiTjm9/fiw1/TnOsfQZ1AVg=",
            "Ferry": "T00PpRZEWnOskYx7qWwbXq70LkuaBjNOYQINzqlBXvU=",
            "Pilot": "1WgCx2n1BGZRcKyNP+XFPdxpAt1xKyltO+JWh31r7/s=",
            "Tug": "Pj5lkboUvc2XYj42FutR514XD4MZm1OwMT4bv7KTd2Q=",
            "Vessel": "OK/6Tv84A+5yCNgCCQsNZw0gVREVC2bErI6EGx6rJDg=",
        ],
        "Harbour 2": [
            "Berth": "4iK8BlgebDbXozWRo+bWGXBMWKIR/bCQvZNuxoyqT8U=",
            "Ferry": "3F0LxwfD6wAHOM1viVMG1qwvrUHWVFtfaInzd3ycJZk=",
            "Pilot": "1WgCx2n1BGZRcKyNP+XFPdxpAt1xKyltO+JWh31r7/s=",
            "Signal": "ZNtrGksRjCd87sao9R/8suUzkwshrLweh0lJblYTq0k=",
            "Tug": "3AcT4r+uigh8BWdAPMlOg4g6jie+3z6SZxuHLyA15fc=",
            "Vessel": "FsU77bSDoRVP5Ww4hMSm8CbiVBalOXpte/s8VdAxhJU=",
        ],
        "Garden": [
            "Bed": "QPYcXfkycVzQ/AslD2ssH+5kyvzwHxD7coBLRQkcptA=",
            "Gardener": "N5jkje+yLT/+d6iqG3bZvUootNpRQbpO7TA0zGC3v10=",
            "Herb": "yhprrW6LIfXjcAH956dV81ZeH4YG4DsLYhTBojcMqS4=",
            "Plant": "Wx/NjNWtBzVRZV/3c4QeTanO+BeQChEJIMXkyAWDw+M=",
            "Tree": "QOENn0IBK/DrjyAtSvm8jNkTn9j1FQ4BcxX1BCmW+1I=",
        ],
        "Ledger": [
            "Account": "3qH3E0sjf4bC5OrHmilYi1DkED/s0UGXSYUoHVhUfH8=",
            "Entry": "KVjRcaPZgGO8ktQUccIKpOEPeKQBCEBjLHPc9MnWr08=",
            "Transfer": "0L+kOg9maX3VLBNw2DmueMnt0DZB4AHZerKjq5r1OPs=",
        ],
        "Album": [
            "Album": "Dfnc8ImrLbWrWDTusqH+HPr9k18gjGfTdVc0ttETcyI=",
            "Photo": "EFX+DGzrM99eHHFjW9rs/LMmmqiqzDwclcCePIXIrmE=",
        ],
    ]

    @Test(arguments: [
        ("Harbour.xcdatamodeld/Harbour.xcdatamodel", "Harbour"), ("Harbour.xcdatamodeld", "Harbour 2"),
        ("Harbour.momd/Harbour.mom", "Harbour"), ("Harbour.momd", "Harbour 2"),
        ("OldHarbour.xcdatamodel", "Harbour"), ("Garden.xcdatamodel", "Garden"), ("Garden.mom", "Garden"),
        ("Ledger.xcdatamodel", "Ledger"), ("Album.xcdatamodel", "Album"),
    ])
    func everyFormOfAModelHasItsHashes(file: String, version: String) throws {
        let model = try Fixture.model(file)
        expectEqual(model.entityVersionHashesByName.mapValues { $0.base64EncodedString() }, Self.hashes[version])
    }

    @Test func theVersionsHaveTheHashesAndChecksumsOfTheirList() throws {
        let list = try PropertyListSerialization.propertyList(
            from: Fixture.data("Harbour.momd/VersionInfo.plist"),
            format: nil
        )
        let information = try #require(list as? [String: Any])
        expectEqual(information["NSManagedObjectModel_CurrentVersionName"] as? String, "Harbour 2")
        let hashes = try #require(information["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
        let checksums = try #require(information["NSManagedObjectModel_VersionChecksums"] as? [String: String])
        for folder in ["Harbour.momd", "Harbour.xcdatamodeld"] {
            let versions = try NSManagedObjectModel.versions(at: Fixture.url(folder))
            expectEqual(versions.map(\.name).sorted(), ["Harbour", "Harbour 2"])
            for version in versions {
                expectEqual(version.model.entityVersionHashesByName, hashes[version.name], "\(folder)")
                expectEqual(version.model.versionChecksum, checksums[version.name], "\(folder)")
            }
        }
        expectEqual(checksums["Harbour 2"], "663eEPUi2zDn9K7JFS13e4PD2fv5CrLx/5JZXhkfUns=")
    }

    /// A document's text is made again from its elements.
    @Test(arguments: [
        "Harbour.xcdatamodeld/Harbour.xcdatamodel", "Harbour.xcdatamodeld/Harbour 2.xcdatamodel", "Garden.xcdatamodel",
        "Ledger.xcdatamodel", "Album.xcdatamodel",
    ])
    func aTextIsWrittenUnchanged(file: String) throws {
        let contents = try Fixture.data("\(file)/contents")
        let document = try ModelDocument(at: Fixture.url(file))
        expectEqual(document.contents, contents)
        var written = try ModelDocument(model: document.model, file: file)
        expectEqual(written.model, document.model)
        try written.update(to: document.model)
        try expectEqual(ModelFile.readModel(contents: written.contents, file: file), document.model)
    }

    @Test(arguments: [
        ("Harbour.xcdatamodeld/Harbour.xcdatamodel", "Harbour.momd/Harbour.mom"),
        ("Harbour.xcdatamodeld/Harbour 2.xcdatamodel", "Harbour.momd/Harbour 2.mom"),
        ("Garden.xcdatamodel", "Garden.mom"),
    ])
    func aCompiledModelEqualsItsSource(source: String, compiled: String) throws {
        let read = try ModelFile.readModel(at: Fixture.url(compiled))
        let own = try ModelFile.readModel(at: Fixture.url(source))
        expectEqual(Self.compiledPart(read), Self.compiledPart(own))
        // Our compiler's archive has the same content.
        let again = try ModelFile.readModel(compiled: ModelFile.compiled(own), file: "own")
        expectEqual(Self.compiledPart(again), Self.compiledPart(read))
        let keys = try Self.keys(ModelFile.compiled(own))
        try expectEqual(Self.keys(Fixture.data(compiled)).subtracting(keys), [])
    }

    /// A model as its compiled file stores it: without settings of generated code, with derivations in other words.
    private static func compiledPart(_ model: Model) -> Model {
        var model = model
        for index in model.entities.indices {
            model.entities[index].codeGeneration = .manual
            model.entities[index].properties = model.entities[index].properties.map { property in
                if case .fetched(var fetched) = property {
                    fetched.request.name = ""
                    return .fetched(fetched)
                }
                guard case .attribute(var attribute) = property else { return property }
                attribute.usesScalarValue = false
                attribute.compositeName = nil
                for index in attribute.elements.indices { attribute.elements[index].usesScalarValue = false }
                if attribute.derivationExpressionFormat == "plants.@count" {
                    attribute.derivationExpressionFormat = "count:(plants)"
                }
                return .attribute(attribute)
            }
            .sorted { $0.name < $1.name }
        }
        model.fetchRequestTemplates.sort { $0.name < $1.name }
        return model
    }

    /// The keys of all objects in an archive, with their classes.
    private static func keys(_ data: Data) throws -> Set<String> {
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let objects = list?["$objects"] as? [Any] ?? []
        return Set(objects.compactMap { ($0 as? [String: Any]) }.flatMap { $0.keys })
    }

    @Test func theGardenHasAllItsSettings() throws {
        for file in ["Garden.xcdatamodel", "Garden.mom"] {
            let model = try Fixture.model(file)
            expectEqual(model.versionIdentifiers, ["garden-1"])
            let bed = try #require(model.entitiesByName["Bed"])
            expectEqual(bed.uniquenessConstraints as? [[String]], [["code"]])
            expectEqual(bed.userInfo as? [String: String], ["plural": "beds", "note": "soil & \"sun\""])
            let index = try #require(bed.indexes.first)
            expectEqual(index.name, "byArea")
            expectEqual(index.elements.map(\.propertyName), ["area", "code"])
            expectEqual(index.elements.map(\.isAscending), [false, true])
            let folded = try #require(bed.attributesByName["folded"] as? NSDerivedAttributeDescription)
            expectEqual(folded.derivationExpression?.description, "canonical:(code)")
            let place = try #require(bed.attributesByName["place"] as? NSCompositeAttributeDescription)
            expectEqual(place.elements.map(\.name).sorted(), ["column", "row"])
            expectEqual(bed.relationshipsByName["plants"]?.deleteRule, .cascadeDeleteRule)
            expectNil(bed.relationshipsByName["best"]?.inverseRelationship)
            let plant = try #require(model.entitiesByName["Plant"])
            #expect(plant.isAbstract)
            expectEqual(plant.attributesByName["thirst"]?.isTransient, true)
            expectEqual(plant.attributesByName["name"]?.defaultValue as? String, "unnamed")
            expectEqual(plant.attributesByName["name"]?.userInfo?["latin"] as? String, "no")
            expectEqual(
                plant.attributesByName["planted"]?.defaultValue as? Date,
                Date(timeIntervalSinceReferenceDate: 86_400)
            )
            expectEqual(
                plant.attributesByName["height"]?.validationPredicates.map(\.formatText),
                ["SELF >= 0", "SELF <= 120"]
            )
            expectEqual(
                bed.attributesByName["code"]?.validationPredicates.map(\.formatText),
                [
                    "length >= 2", "length <= 8",
                ]
            )
            #expect(model.entitiesByName["Tree"]?.superentity === plant)
            expectEqual(model.entitiesByName["Tree"]?.versionHashModifier, "grown")
            let gardener = try #require(model.entitiesByName["Gardener"])
            expectEqual(gardener.relationshipsByName["pupils"]?.deleteRule, .denyDeleteRule)
            let neighbours = gardener.propertiesByName["neighbours"] as? NSFetchedPropertyDescription
            expectEqual(neighbours?.fetchRequest?.predicate?.formatText, "bed == $FETCH_SOURCE.favourite.bed")
            expectEqual(model.fetchRequestTemplate(forName: "tallTrees")?.predicate?.formatText, "height > $LEAST")
            expectEqual(model.fetchRequestTemplate(forName: "names")?.resultType, .dictionaryResultType)
        }
    }

    @Test func aModelFromBeforeXcode4HasTheSettingsOfTheFirstVersion() throws {
        var old = try ModelFile.readModel(at: Fixture.url("OldHarbour.xcdatamodel"))
        var new = try ModelFile.readModel(at: Fixture.url("Harbour.xcdatamodeld/Harbour.xcdatamodel"))
        // At the time an attribute had an index, an entity none.
        let vessel = try #require(old.entities.firstIndex { $0.name == "Vessel" })
        let registration = old.entities[vessel].properties.first { $0.name == "registration" }
        guard case .attribute(let attribute)? = registration else { return #expect(Bool(false), "no attribute") }
        #expect(attribute.common.isIndexed)
        for index in new.entities.indices { new.entities[index].indexes = [] }
        for index in old.entities.indices {
            old.entities[index].properties = old.entities[index].properties.map { property in
                guard case .attribute(var attribute) = property else { return property }
                attribute.common.isIndexed = false
                return .attribute(attribute)
            }
        }
        expectEqual(Self.compiledPart(old), Self.compiledPart(new))
    }

    @Test func theRenamedAttributeKeepsItsFormerName() throws {
        for file in ["Harbour.xcdatamodeld", "Harbour.momd"] {
            let model = try Fixture.model(file)
            expectEqual(model.entitiesByName["Vessel"]?.attributesByName["title"]?.renamingIdentifier, "name")
        }
    }
}
