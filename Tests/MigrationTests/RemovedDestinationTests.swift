// Tests relationships that lead to another entity in the new version: they are empty, and the keys of the objects that they
// led to are not taken for those of other objects.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTools
import Testing

@Suite(.inDatabasesToo) struct RemovedDestinationTests {
    /// The kinds of relationships, each with its own storage.
    enum Shape: String, CaseIterable, Sendable {
        case toOne, toOneWithInverse, toManyWithoutInverse, toManyWithInverse, manyToMany, ordered
        var isToMany: Bool { self != .toOne && self != .toOneWithInverse }
        var inverse: String? { self == .toOne || self == .toManyWithoutInverse ? nil : "owner" }
        var isInverseToMany: Bool { self == .toOneWithInverse || self == .manyToMany }
    }

    /// The destination, with the inverse if there is one.
    private func thing(_ name: String, _ shape: Shape, _ more: String = "") -> String {
        let inverse = shape.inverse.map {
            RelationshipMigrationTests.relation($0, "Owner", "things", many: shape.isInverseToMany)
        }
        return RelationshipMigrationTests.entity(name, inverse ?? "", more)
    }

    private func owner(_ shape: Shape, _ destination: String) -> String {
        RelationshipMigrationTests.entity(
            "Owner",
            RelationshipMigrationTests.relation(
                "things",
                destination,
                shape.inverse,
                many: shape.isToMany,
                shape == .ordered ? "ordered=\"YES\"" : ""
            )
        )
    }

    private func fill(_ versions: Versions, _ shape: Shape) throws {
        try versions.fill { context in
            for number in 0..<3 {
                let old = context.add("Old", ["name": "old\(number)"])
                context.add("New", ["name": "new\(number)"])
                let owner = context.add("Owner", ["name": "owner\(number)"])
                switch shape {
                case .toOne, .toOneWithInverse: owner.setValue(old, forKey: "things")
                case .ordered: owner.setValue(NSOrderedSet(object: old), forKey: "things")
                default: owner.setValue(Set([old]), forKey: "things")
                }
            }
        }
    }

    /// The names of the related objects, by the names of their owners.
    private func links(_ context: NSManagedObjectContext) throws -> [String: [String]] {
        var result: [String: [String]] = [:]
        for owner in try context.all("Owner") {
            let value = owner.value(forKey: "things")
            let members =
                (value as? NSManagedObject).map { [$0] } ?? (value as? NSOrderedSet)?.array as? [NSManagedObject]
                ?? (value as? Set<NSManagedObject>).map(Array.init) ?? []
            result[try #require(owner.value(forKey: "name") as? String)] = members.compactMap {
                $0.value(forKey: "name") as? String
            }
        }
        return result
    }

    @Test(arguments: Shape.allCases)
    func aRelationshipToAnotherEntityIsEmptyIfItsDestinationWasRemoved(shape: Shape) throws {
        let versions = try Versions(
            owner(shape, "Old") + thing("Old", shape) + RelationshipMigrationTests.entity("New", ""),
            owner(shape, "New") + thing("New", shape)
        )
        try fill(versions, shape)
        try versions.use(2) { context in
            try expectEqual(links(context), ["owner0": [], "owner1": [], "owner2": []])
            try expectEqual(context.all("New").count, 3)
        }
        try versions.expectTablesOfNewStore()
    }

    @Test(arguments: Shape.allCases)
    func aRelationshipToAnotherEntityIsEmptyIfItsFormerDestinationStays(shape: Shape) throws {
        let versions = try Versions(
            owner(shape, "Old") + thing("Old", shape) + RelationshipMigrationTests.entity("New", ""),
            owner(shape, "New") + RelationshipMigrationTests.entity("Old", "") + thing("New", shape)
        )
        try fill(versions, shape)
        try versions.use(2) { context in
            try expectEqual(links(context), ["owner0": [], "owner1": [], "owner2": []])
            try expectEqual(context.values("name", "Old"), ["old0", "old1", "old2"])
            try expectEqual(context.values("name", "New"), ["new0", "new1", "new2"])
        }
        try versions.expectTablesOfNewStore()
    }

    /// The version hash of the owner stays the same, as it contains the names of destinations.
    @Test(arguments: Shape.allCases)
    func anEntityThatGetsTheNameOfARemovedDestinationDoesNotGetItsPlace(shape: Shape) throws {
        let versions = try Versions(
            owner(shape, "Old") + thing("Old", shape) + RelationshipMigrationTests.entity("New", ""),
            owner(shape, "Old") + thing("Old", shape, "elementID=\"New\"")
        )
        try fill(versions, shape)
        try versions.use(2) { context in
            try expectEqual(links(context), ["owner0": [], "owner1": [], "owner2": []])
            try expectEqual(context.values("name", "Old"), ["new0", "new1", "new2"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test(arguments: Shape.allCases)
    func aRelationshipKeepsTheMembersOfSubentitiesThatStayed(shape: Shape) throws {
        let versions = try Versions(
            owner(shape, "Thing") + thing("Thing", shape)
                + "<entity name=\"Old\" parentEntity=\"Thing\"/><entity name=\"New\" parentEntity=\"Thing\"/>",
            owner(shape, "New") + thing("New", shape)
        )
        try fillWithSubentities(versions, shape)
        try versions.use(2) { context in try expectEqual(links(context), ["Old": [], "New": ["New"]]) }
        try versions.expectTablesOfNewStore()
    }

    @Test(arguments: Shape.allCases)
    func aRelationshipLosesTheMembersOfASubentityThatLeavesTheHierarchy(shape: Shape) throws {
        let versions = try Versions(
            owner(shape, "Thing") + thing("Thing", shape)
                + "<entity name=\"Old\" parentEntity=\"Thing\"/><entity name=\"New\" parentEntity=\"Thing\"/>",
            owner(shape, "Thing") + thing("Thing", shape)
                + "<entity name=\"New\" parentEntity=\"Thing\"/>" + RelationshipMigrationTests.entity("Old", "")
        )
        try fillWithSubentities(versions, shape)
        try versions.use(2) { context in
            try expectEqual(links(context), ["Old": [], "New": ["New"]])
            try expectEqual(context.values("name", "Old"), ["Old"])
        }
        try versions.expectTablesOfNewStore()
    }

    /// Two owners, each of an object of a subentity, whose names are those of the entities.
    private func fillWithSubentities(_ versions: Versions, _ shape: Shape) throws {
        try versions.fill { context in
            let members = ["Old", "New"].map { context.add($0, ["name": $0]) }
            for member in members {
                let owner = context.add("Owner", ["name": member.value(forKey: "name") ?? ""])
                switch shape {
                case .toOne, .toOneWithInverse: owner.setValue(member, forKey: "things")
                case .ordered: owner.setValue(NSOrderedSet(object: member), forKey: "things")
                default: owner.setValue(Set([member]), forKey: "things")
                }
            }
        }
    }
}
