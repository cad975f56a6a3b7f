// Tests a SQLite store with an abstract entity, derived and composite attributes, a constraint, and stored requests.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct GardenStoreTests {
    private static let objects = [
        "Bed 1: area 12.5, best {Tree 2, Tree 3}, code \"Röse\", folded \"rose\", place [\"column=4\", \"row=3\"], "
            + "plantCount 2, plants {Herb 1, Tree 2}",
        "Bed 2: code \"MOSS\", folded \"moss\", plantCount 0",
        "Gardener 1: favourite Tree 2, name \"Ann\", pupils {Gardener 2, Gardener 3}",
        "Gardener 2: favourite Herb 1, mentor Gardener 1, name \"Ben\"",
        "Gardener 3: mentor Gardener 1",
        "Herb 1: bed Bed 1, edible yes, height 0.4, name \"Mint\"",
        "Tree 2: age 70, bed Bed 1, height 11.0, name \"Yew\", planted @-1446595200.0",
        "Tree 3: age 5, fruit \"pear\", height 6.5, name \"Pear\", planted @625795200.0",
    ]

    private func open<R>(_ body: (URL, NSManagedObjectContext) throws -> R) throws -> R {
        try Fixture.withCopy(of: "Garden.sqlite") { url throws in
            try Fixture.model("Garden.xcdatamodel").withStore(at: url) { try body(url, $0) }
        }
    }

    @Test func everyObjectIsRead() throws {
        try Fixture.withCopy(of: "Garden.sqlite") { url throws in
            try expectEqual(Fixture.objects(in: url, Fixture.model("Garden.xcdatamodel")), Self.objects)
            let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            try expectEqual(Fixture.objects(in: url, cached), Self.objects)
            try expectEqual(Fixture.objects(in: url, Fixture.model("Garden.mom")), Self.objects)
            expectEqual(StoreChecker().check(url).problems, [])
        }
    }

    /// The triggers in the file keep the count, whichever framework wrote them.
    @Test func derivedAttributesFollowTheChangesOfASave() throws {
        try open { url, context in
            let moss = try context.object("Bed", 2)
            let tree = try context.object("Plant", 2)
            tree.setValue(moss, forKey: "bed")
            let herb = NSEntityDescription.insertNewObject(forEntityName: "Herb", into: context)
            expectEqual(herb.value(forKey: "name") as? String, "unnamed")
            expectEqual(herb.value(forKey: "edible") as? Bool, true)
            expectEqual(herb.value(forKey: "planted") as? Date, Date(timeIntervalSinceReferenceDate: 86_400))
            herb.setValue(moss, forKey: "bed")
            moss.setValue("MÖSS", forKey: "code")
            try context.save()
            context.refreshAllObjects()
            expectEqual(moss.value(forKey: "plantCount") as? Int, 2)
            expectEqual(moss.value(forKey: "folded") as? String, "moss")
            try expectEqual(context.object("Bed", 1).value(forKey: "plantCount") as? Int, 1)
            context.delete(tree)
            try context.save()
            let counts = "SELECT ZPLANTCOUNT FROM ZBED ORDER BY Z_PK"
            try expectEqual(Fixture.rows(counts, in: url), [[.integer(1)], [.integer(1)]])
        }
    }

    @Test func aCompositeAttributeIsChangedByItsElements() throws {
        try Fixture.withCopy(of: "Garden.sqlite") { url throws in
            let model = try Fixture.model("Garden.xcdatamodel")
            try model.withStore(at: url) { context throws in
                let bed = try context.object("Bed", 1)
                expectEqual(bed.value(forKeyPath: "place.row") as? Int, 3)
                bed.setValue(8, forKeyPath: "place.row")
                try context.save()
            }
            try expectEqual(
                Fixture.rows("SELECT ZROW, ZCOLUMN FROM ZBED WHERE Z_PK = 1", in: url),
                [
                    [.integer(8), .integer(4)]
                ]
            )
        }
    }

    @Test func theUniquenessConstraintRefusesASecondCode() throws {
        try open { _, context throws in
            let bed = NSEntityDescription.insertNewObject(forEntityName: "Bed", into: context)
            bed.setValue("MOSS", forKey: "code")
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
        }
    }

    @Test(arguments: [("code", "m", 1670), ("code", "longer than 8", 1660)])
    func theBoundsOfTheModelAreChecked(key: String, value: String, code: Int) throws {
        try open { _, context throws in
            try context.object("Bed", 2).setValue(value, forKey: key)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, code)
        }
    }

    @Test func storedRequestsAndFetchedPropertiesFindObjects() throws {
        try open { _, context throws in
            let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
            let tall = try #require(
                model.fetchRequestFromTemplate(withName: "tallTrees", substitutionVariables: ["LEAST": 7])
            )
            let names = try context.fetch(tall).compactMap { ($0 as? NSManagedObject).map(ObjectText.name) }
            expectEqual(names, ["Tree 2"])
            let neighbours = try context.object("Gardener", 1).value(forKey: "neighbours") as? [NSManagedObject]
            expectEqual(neighbours?.map(ObjectText.name).sorted(), ["Herb 1", "Tree 2"])
        }
    }

    @Test func aConfigurationHasItsEntitiesAlone() throws {
        let model = try Fixture.model("Garden.xcdatamodel")
        expectEqual(model.configurations.filter { $0 != "PF_DEFAULT_CONFIGURATION_NAME" }.sorted(), ["Beds", "Staff"])
        expectEqual(model.entities(forConfigurationName: "Staff")?.compactMap(\.name), ["Gardener"])
        expectEqual(
            model.entities(forConfigurationName: "Beds")?.compactMap(\.name).sorted(),
            [
                "Bed", "Herb", "Plant", "Tree",
            ]
        )
    }
}
