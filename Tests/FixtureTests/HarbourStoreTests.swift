// Tests SQLite stores of the harbour: two versions of the model, the layout of frameworks before 2014, and a log.
import ExpectationSupport
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct HarbourStoreTests {
    private static let first = [
        "Berth 1: label \"North quay\", number 1, vessels [Tug 3, Vessel 1, Ferry 2]",
        "Berth 2: number 2, vessels [Tug 5]",
        "Buoy 1: colour \"green\"",
        "Buoy 4: colour \"red\"",
        "Ferry 2: berth Berth 1, crew 12, engine \"diesel\", launched @-81287817.5, length 81.5, name \"Île d’Or\", "
            + "passengers 640, pilots {Pilot 1, Pilot 2}, registration \"FR-2\"",
        "Pilot 1: licence 0A11CE00-1111-4111-8111-111111111111, name \"Ada\", vessels {Ferry 2}",
        "Pilot 2: name \"Bo\", vessels {Ferry 2, Vessel 1}",
        "Tug 3: berth Berth 1, crew 4, engine \"electric\", length 21.0, name \"Ox\", pull 37.5",
        "Tug 5: berth Berth 2, crew 2, length 3.0, name \"Punt\"",
        "Vessel 1: berth Berth 1, crew 1, length 4.25, name \"Skiff\", pilots {Pilot 2}, registration \"SK-7\"",
    ]

    private static let second = [
        "Berth 1: depth 7.25, label \"North quay\", number 1, vessels [Tug 3, Vessel 1, Ferry 2]",
        "Berth 2: depth -0.5, number 2, vessels [Tug 5]",
        "Ferry 2: berth Berth 1, crew 12, engine \"diesel\", launched @-81287817.5, length 81.5, passengers 640, "
            + "pilots {Pilot 1, Pilot 2}, registration \"FR-2\", title \"Île d’Or\"",
        "Pilot 1: licence 0A11CE00-1111-4111-8111-111111111111, name \"Ada\", vessels {Ferry 2}",
        "Pilot 2: name \"Bo\", vessels {Ferry 2, Vessel 1}",
        "Signal 1: pattern \"▲▲●\"",
        "Tug 3: berth Berth 1, crew 4, engine \"electric\", length 21.0, pull 37.5, title \"Ox\"",
        "Tug 5: berth Berth 2, crew 2, length 3.0, title \"Punt\"",
        "Vessel 1: berth Berth 1, crew 1, length 4.25, pilots {Pilot 2}, registration \"SK-7\", title \"Skiff\"",
    ]

    // MARK: Reading

    @Test func bothVersionsHaveAllTheirObjects() throws {
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            try expectEqual(Fixture.objects(in: url, Fixture.harbour(1)), Self.first)
            expectEqual(StoreChecker().check(url).problems, [])
        }
        try Fixture.withCopy(of: "Harbour2.sqlite") { url throws in
            try expectEqual(Fixture.objects(in: url, Fixture.harbour(2)), Self.second)
            expectEqual(StoreChecker().check(url).problems, [])
        }
    }

    @Test func theMetadataAreReadInFull() throws {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .sqlite,
            at: Fixture.url("Harbour1.sqlite")
        )
        expectEqual(metadata[NSStoreUUIDKey] as? String, "11111111-2222-4333-8444-555555555501")
        expectEqual(metadata[NSStoreTypeKey] as? String, NSSQLiteStoreType)
        expectEqual(metadata["port"] as? String, "Northport")
        expectEqual(metadata[NSStoreModelVersionIdentifiersKey] as? [String], ["1"])
        expectEqual(metadata["NSPersistenceFrameworkVersion"] as? Int, 1345)
        expectEqual(metadata["NSStoreModelVersionHashesVersion"] as? Int, 3)
        expectEqual(metadata["_NSAutoVacuumLevel"] as? String, "2")
        expectEqual(
            metadata["NSStoreModelVersionChecksumKey"] as? String,
            "3+zNqKnY6NQ/TLRGL/kioPaGe+IKalb2LrLr2qU8fWA="
        )
        expectEqual(
            metadata["NSStoreModelVersionHashesDigest"] as? String,
            "+LNzgUj9NPCk/FNNRaqQHFAKCzlCOA6pmHTYUgpsFj/n76HqKvu/wP3Iqy+2tLuhbk9/ZUU2lrRq8l9bDW8s/A=="
        )
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        expectEqual(hashes?["Buoy"]?.base64EncodedString(), "+/q8zBUwy/KRQ3Fh/VLOHiTjm9/fiw1/TnOsfQZ1AVg=")
        try expectEqual(hashes, (try Fixture.harbour(1)).entityVersionHashesByName)
    }

    @Test func aStoreOpensWithTheModelInIt() throws {
        try Fixture.withCopy(of: "Harbour2.sqlite") { url throws in
            let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            try expectEqual(cached.entityVersionHashesByName, (try Fixture.harbour(2)).entityVersionHashesByName)
            expectEqual(cached.versionIdentifiers, ["2"])
            try expectEqual(Fixture.objects(in: url, cached), Self.second)
        }
    }

    /// Frameworks before 2014 keep no model in a store, and name the indexes of attributes after columns.
    @Test func aStoreOfAnOldFrameworkIsReadAndKeepsItsLayout() throws {
        try Fixture.withCopy(of: "HarbourAntique.sqlite") { url throws in
            let model = try Fixture.harbour(1)
            let schema =
                "SELECT name FROM sqlite_master WHERE type = 'index' OR name LIKE 'Z\\_M%' ESCAPE '\\' ORDER BY 1"
            let before = try Fixture.rows(schema, in: url)
            #expect(before.contains([.text("ZVESSEL_ZREGISTRATION_INDEX")]))
            #expect(!before.contains([.text("Z_MODELCACHE")]))
            #expect(throws: (any Error).self) {
                try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            }
            try expectEqual(Fixture.objects(in: url, model), Self.first)
            try model.withStore(at: url) { context throws in
                try context.object("Vessel", 3).setValue("Bull", forKey: "name")
                try context.save()
            }
            try expectEqual(Fixture.rows(schema, in: url), before)
            #expect(try Fixture.objects(in: url, model).contains { $0.hasPrefix("Tug 3:") && $0.contains("\"Bull\"") })
        }
    }

    @Test func changesThatAreOnlyInTheLogAreRead() throws {
        try Fixture.withCopy(of: "HarbourLogged.sqlite") { url throws in
            let expected = Self.second.map { line in
                line.replacing("\"Skiff\"", with: "\"Skiff II\"").replacing("pilots {Pilot 1, Pilot 2}, ", with: "")
                    .replacing("name \"Ada\", vessels {Ferry 2}", with: "name \"Ada\"")
                    .replacing("{Ferry 2, Vessel 1}", with: "{Vessel 1}")
            }
            var lines = expected
            let place = try #require(lines.firstIndex { $0.hasPrefix("Signal 1") })
            lines.insert("Signal 2: pattern \"▼\"", at: place + 1)
            try expectEqual(Fixture.objects(in: url, Fixture.harbour(2)), lines)
        }
        // Without its log the file has the older state.
        try Fixture.withCopy(of: "HarbourLogged.sqlite") { url throws in
            try FileManager.default.removeItem(atPath: url.path + "-wal")
            try expectEqual(Fixture.objects(in: url, Fixture.harbour(2)), Self.second)
        }
    }

    @Test func aQueryIsAnsweredThroughInheritanceAndRelationships() throws {
        try Fixture.withCopy(of: "Harbour2.sqlite") { url throws in
            let names = try Fixture.harbour(2).withStore(at: url) { context throws in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Vessel")
                request.predicate = NSPredicate(format: "berth.number == 1 AND ANY pilots.name IN {'Ada', 'Bo'}")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
                return try context.fetch(request).map(ObjectText.name)
            }
            expectEqual(names, ["Ferry 2", "Vessel 1"])
        }
    }

    // MARK: Writing

    @Test func changesOfEveryKindAreThereWhenTheCopyIsReopened() throws {
        try Fixture.withCopy(of: "Harbour2.sqlite") { url throws in
            let model = try Fixture.harbour(2)
            try model.withStore(at: url) { context throws in
                let north = try context.object("Berth", 1)
                let south = try context.object("Berth", 2)
                let launch = NSEntityDescription.insertNewObject(forEntityName: "Ferry", into: context)
                launch.setValue("Launch", forKey: "title")
                let order = north.mutableOrderedSetValue(forKey: "vessels")
                order.exchangeObject(at: 0, withObjectAt: 2)
                order.insert(launch, at: 1)
                launch.mutableSetValue(forKey: "pilots").add(try context.object("Pilot", 1))
                try context.object("Vessel", 1).setValue(south, forKey: "berth")
                context.delete(try context.object("Tug", 3))
                try context.save()
            }
            let lines = try Fixture.objects(in: url, model)
            expectEqual(
                lines.filter { $0.hasPrefix("Berth") || $0.hasPrefix("Ferry 6") || $0.hasPrefix("Pilot 1") },
                [
                    "Berth 1: depth 7.25, label \"North quay\", number 1, vessels [Ferry 2, Ferry 6]",
                    "Berth 2: depth -0.5, number 2, vessels [Tug 5, Vessel 1]",
                    "Ferry 6: berth Berth 1, crew 2, length 0.0, pilots {Pilot 1}, title \"Launch\"",
                    "Pilot 1: licence 0A11CE00-1111-4111-8111-111111111111, name \"Ada\", vessels {Ferry 2, Ferry 6}",
                ]
            )
            #expect(!lines.contains { $0.hasPrefix("Tug 3") })
            expectEqual(StoreChecker().check(url).problems, [])
        }
    }

    /// The highest key is that of `Z_PRIMARYKEY`, even if no row has it any more.
    @Test func aNewObjectGetsAKeyThatNoneEverHad() throws {
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            let key = try Fixture.harbour(1).withStore(at: url) { context throws in
                let tug = NSEntityDescription.insertNewObject(forEntityName: "Tug", into: context)
                tug.setValue("Calf", forKey: "name")
                try context.save()
                return ObjectText.key(of: tug)
            }
            expectEqual(key, 10)
            try expectEqual(
                Fixture.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 ORDER BY Z_ENT", in: url),
                [
                    [.text("Berth"), .integer(2)], [.text("Buoy"), .integer(4)], [.text("Pilot"), .integer(2)],
                    [.text("Vessel"), .integer(10)],
                ]
            )
            try expectEqual(
                Fixture.rows("SELECT Z_ENT, Z_OPT, ZNAME FROM ZVESSEL WHERE Z_PK = 10", in: url),
                [[.integer(6), .integer(1), .text("Calf")]]
            )
        }
    }

    // MARK: Versions

    @Test func theOlderVersionIsRefusedAndThenMigrated() throws {
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            let model = try Fixture.harbour(2)
            let error = #expect(throws: NSError.self) { try Fixture.objects(in: url, model) }
            expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
            try expectEqual(Fixture.objects(in: url, Fixture.harbour(1)), Self.first)
            let options = [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
            let expected = Self.second.filter { !$0.hasPrefix("Signal") }.map {
                $0.replacing("depth 7.25", with: "depth 4.5").replacing("depth -0.5", with: "depth 4.5")
            }
            try expectEqual(Fixture.objects(in: url, model, options: options), expected)
            try expectEqual(Fixture.objects(in: url, model), expected)
            expectEqual(StoreChecker().check(url).problems, [])
        }
    }
}
