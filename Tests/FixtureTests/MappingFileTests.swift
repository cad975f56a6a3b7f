// Tests the mapping model in both forms: its content, and the store that a migration by it makes.
import ExpectationSupport
import Foundation
import GraphModelFiles
import ManagedGraph
import ManagedGraphTools
import Testing

struct MappingFileTests {
    static let files = ["Harbour.xcmappingmodel", "Harbour.cdm"]

    @Test(arguments: files) func everyMappingHasItsTypeEntitiesAndHashes(file: String) throws {
        let mapping = try #require(NSMappingModel(contentsOf: Fixture.url(file)))
        let names = ["BerthToBerth", "PilotToPilot", "VesselToVessel", "FerryToFerry", "TugToTug", "Signal"]
        expectEqual(mapping.entityMappings.map(\.name), names)
        expectEqual(
            mapping.entityMappings.map(\.mappingType),
            [
                .transformEntityMappingType, .copyEntityMappingType, .transformEntityMappingType,
                .transformEntityMappingType, .transformEntityMappingType, .addEntityMappingType,
            ]
        )
        let entities = ["Berth", "Pilot", "Vessel", "Ferry", "Tug"]
        expectEqual(mapping.entityMappings.map(\.sourceEntityName), entities + [nil])
        expectEqual(mapping.entityMappings.map(\.destinationEntityName), entities + ["Signal"])
        let (old, new) = (try Fixture.harbour(1), try Fixture.harbour(2))
        for item in mapping.entityMappings {
            expectEqual(
                item.sourceEntityVersionHash,
                item.sourceEntityName.flatMap { old.entityVersionHashesByName[$0] }
            )
            expectEqual(
                item.destinationEntityVersionHash,
                new.entityVersionHashesByName[item.destinationEntityName ?? ""]
            )
        }
    }

    @Test(arguments: files) func everyPropertyHasItsExpression(file: String) throws {
        let mapping = try #require(NSMappingModel(contentsOf: Fixture.url(file)))
        func expressions(_ name: String) throws -> [String] {
            let item = try #require(mapping.entityMappingsByName[name])
            return ((item.attributeMappings ?? []) + (item.relationshipMappings ?? []))
                .map { "\($0.name ?? ""): \($0.valueExpression?.description ?? "none")" }.sorted()
        }
        let related = "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\" , "
        try expectEqual(
            expressions("BerthToBerth"),
            [
                "depth: none", "label: uppercase:($source.label)", "number: $source.number",
                "vessels: \(related)\"vessels\", $source.vessels)",
            ]
        )
        try expectEqual(
            expressions("TugToTug"),
            [
                "berth: FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\" , "
                    + "\"BerthToBerth\", $source.berth)",
                "crew: $source.crew", "engine: $source.engine", "launched: $source.launched", "length: $source.length",
                "pilots: \(related)\"pilots\", $source.pilots)", "pull: $source.pull",
                "registration: $source.registration", "title: $source.name",
            ]
        )
        try expectEqual(expressions("Signal"), ["pattern: none"])
    }

    private static let migrated = [
        "Berth 1: depth 4.5, label \"NORTH QUAY\", number 1, vessels [Tug 3, Vessel 1, Ferry 2]",
        "Berth 2: depth 4.5, number 2",
        "Ferry 2: berth Berth 1, crew 12, engine \"diesel\", launched @-81287817.5, length 81.5, passengers 640, "
            + "pilots {Pilot 1, Pilot 2}, registration \"FR-2\", title \"Île d’Or\"",
        "Pilot 1: licence 0A11CE00-1111-4111-8111-111111111111, name \"Ada\", vessels {Ferry 2}",
        "Pilot 2: name \"Bo\", vessels {Ferry 2, Vessel 1}",
        "Tug 3: berth Berth 1, crew 4, engine \"electric\", length 21.0, pull 37.5, title \"Ox\"",
        "Vessel 1: berth Berth 1, crew 1, length 4.25, pilots {Pilot 2}, registration \"SK-7\", title \"Skiff\"",
    ]

    /// The small tug is left behind by the mapping's filter.
    @Test(arguments: files) func aMigrationMakesTheMappedObjects(file: String) throws {
        let mapping = try #require(NSMappingModel(contentsOf: Fixture.url(file)))
        let (old, new) = (try Fixture.harbour(1), try Fixture.harbour(2))
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            let target = url.deletingLastPathComponent().appending(path: "new.sqlite")
            let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
            try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
            let lines = try Fixture.objects(in: target, new)
            expectEqual(Self.withoutKeys(lines), Self.withoutKeys(Self.migrated))
            expectEqual(StoreChecker().check(target).problems, [])
            try expectEqual(Fixture.objects(in: url, old).count, 10)
        }
    }

    /// A manager numbers new objects itself.
    private static func withoutKeys(_ lines: [String]) -> [String] {
        lines.map { $0.replacing(/(Vessel|Tug|Ferry|Pilot|Berth) [0-9]+/) { String($0.output.1) } }.sorted()
    }

    /// The mapping model beside the compiled model is found when the store is opened.
    @Test func aStoreIsMigratedByTheMappingModelBesideItsModel() throws {
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            let options = [NSMigratePersistentStoresAutomaticallyOption: true]
            let model = try Fixture.model("Harbour.momd")
            let lines = try Fixture.objects(in: url, model, options: options)
            expectEqual(Self.withoutKeys(lines), Self.withoutKeys(Self.migrated))
        }
    }

    @Test func theModelsInsideOfTheSourceAreThoseOfItsPaths() throws {
        let url = Fixture.url("Harbour.xcmappingmodel")
        let mapping = try MappingReader.read(at: url)
        expectEqual(mapping.sourcePath, "Harbour.xcdatamodeld/Harbour.xcdatamodel")
        expectEqual(mapping.destinationPath, "Harbour.xcdatamodeld/Harbour 2.xcdatamodel")
        try expectEqual(mapping.sourceHashes, (try Fixture.harbour(1)).entityVersionHashesByName)
        try expectEqual(mapping.destinationHashes, (try Fixture.harbour(2)).entityVersionHashesByName)
        try expectEqual(MappingReader.models(at: url).map(\.entities.count), [6, 6])
    }
}
