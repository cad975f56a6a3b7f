// Tests relationships of every kind, from both sides. Every engine passes these tests.
import ExpectationSupport
import Foundation
import GraphEngine
import Testing

@Suite("Engines: relationships")
struct EngineRelationshipTests {
    private func pair(
        _ tried: TriedEngine,
        _ name: String,
        _ source: Int64,
        _ destination: Int64,
        isInsert: Bool = true
    )
        throws -> JoinOperation
    {
        JoinOperation(
            layout: try tried.layout("Owner"),
            slot: try tried.slot("Owner", name),
            source: source,
            destination: destination,
            isInsert: isInsert
        )
    }

    private func order(
        _ tried: TriedEngine,
        _ name: String,
        _ owner: Int64,
        _ members: [Int64],
        isAppended: Bool = false
    )
        throws -> OrderOperation
    {
        OrderOperation(
            layout: try tried.layout("Owner"),
            slot: try tried.slot("Owner", name),
            source: owner,
            members: members,
            isAppended: isAppended
        )
    }

    @Test(arguments: EngineKind.allCases)
    func aToOneValueMakesTheMembersOfItsInverse(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let owners = try tried.insert("Owner", [[:], [:]])
        let first = RowValue.key(try tried.key("Owner", owners[0]))
        let cats = try tried.insert("Animal", [["owner": first], [:]])
        let dogs = try tried.insert("Dog", [["owner": first]])
        try expectEqual(Set(tried.members("Owner", "pets", of: owners[0])), [cats[0], dogs[0]])
        #expect(try tried.members("Owner", "pets", of: owners[1]).isEmpty)
        let (layout, slot) = (try tried.layout("Owner"), try tried.slot("Owner", "pets"))
        let members = try tried.reading { try $0.members(layout: layout, slot: slot, primaryKey: owners[0]) }
        try expectEqual(Set(members), [tried.key("Animal", cats[0]), tried.key("Dog", dogs[0])])
        // The row contains the key as well.
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Animal").tree, keys: [dogs[0]]) }
        try expectEqual(tried.value("Animal", "owner", batch, 0), .integer(owners[0]))
        var changes = StoreChanges()
        changes.updates = [
            try tried.change("Dog", dogs[0], version: 1, ["owner": .key(try tried.key("Owner", owners[1]))])
        ]
        try tried.apply(changes)
        try expectEqual(tried.members("Owner", "pets", of: owners[0]), [cats[0]])
        try expectEqual(tried.members("Owner", "pets", of: owners[1]), [dogs[0]])
    }

    @Test(arguments: EngineKind.allCases)
    func aToOneValueSaysWhichEntityOfAFamilyItLeadsTo(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let puppy = try tried.insert("Puppy", [[:]])[0]
        let owner = try tried.insert("Owner", [["favourite": .key(try tried.key("Puppy", puppy))]])[0]
        let tree = try tried.layout("Owner").tree
        let place = try #require(
            tree.columns.firstIndex { $0.propertyName == "favourite" && $0.isEntityNumber }
        )
        let batch = try tried.reading { try $0.rows(tree: tree, keys: [owner]) }
        try expectEqual(tried.engine.entityIndex(number: batch.integer(place + 2, 0)), (tried.layout("Puppy")).index)
    }

    @Test(arguments: EngineKind.allCases)
    func membersOfManyOwnersComeOwnerByOwnerAsWholeRows(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let owners = try tried.insert("Owner", [[:], [:], [:]])
        var pets: [Int64: Set<Int64>] = [:]
        for (number, owner) in [owners[0], owners[2], owners[0]].enumerated() {
            let pet = try tried.insert(
                "Dog",
                [["owner": .key(try tried.key("Owner", owner)), "tricks": .integer(Int64(number))]]
            )
            pets[owner, default: []].formUnion(pet)
        }
        let (layout, slot) = (try tried.layout("Owner"), try tried.slot("Owner", "pets"))
        let batch = try tried.reading { try $0.members(layout: layout, slot: slot, owners: owners.reversed()) }
        let kinds = try tried.layout("Animal").tree.kinds
        expectEqual(batch.kinds, kinds + [.integer])
        expectEqual(batch.count, 3)
        let memberOwners = (0..<batch.count).map { batch.integer(kinds.count, $0) }
        // The members of one owner are adjacent.
        expectEqual(zip(memberOwners, memberOwners.dropFirst()).filter { $0 != $1 }.count, Set(memberOwners).count - 1)
        for row in 0..<batch.count {
            let key = batch.integer(TreeLayout.primaryKeyColumn, row)
            expectEqual(pets[memberOwners[row]]?.contains(key), true)
            #expect(try tried.value("Dog", "tricks", batch, row) != .null)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func aPairIsFoundFromBothSidesAndGoesWithEitherRow(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        #expect(try tried.engine.hasJoinTable(tried.layout("Owner"), tried.slot("Owner", "tags")))
        #expect(try tried.engine.hasJoinTable(tried.layout("Tag"), tried.slot("Tag", "owners")))
        #expect(try !tried.engine.hasJoinTable(tried.layout("Owner"), tried.slot("Owner", "pets")))
        let owners = try tried.insert("Owner", [[:], [:]])
        let tags = try tried.insert("Tag", [[:], [:], [:]])
        var changes = StoreChanges()
        changes.joins = [
            try pair(tried, "tags", owners[0], tags[0]), try pair(tried, "tags", owners[0], tags[1]),
            // The same from the other side.
            JoinOperation(
                layout: try tried.layout("Tag"),
                slot: try tried.slot("Tag", "owners"),
                source: tags[1],
                destination: owners[1],
                isInsert: true
            ),
        ]
        try tried.apply(changes)
        try expectEqual(Set(tried.members("Owner", "tags", of: owners[0])), [tags[0], tags[1]])
        try expectEqual(tried.members("Owner", "tags", of: owners[1]), [tags[1]])
        try expectEqual(Set(tried.members("Tag", "owners", of: tags[1])), Set(owners))
        let (layout, slot) = (try tried.layout("Owner"), try tried.slot("Owner", "tags"))
        let batch = try tried.reading { try $0.members(layout: layout, slot: slot, owners: owners) }
        expectEqual(batch.count, 3)
        try expectEqual(batch.kinds, (tried.layout("Tag").tree.kinds) + [.integer])
        // A pair is removed from one side, and another together with a row.
        changes.joins = [try pair(tried, "tags", owners[0], tags[0], isInsert: false)]
        changes.deletes = [try tried.change("Tag", tags[1], version: 1, [:])]
        try tried.apply(changes)
        #expect(try tried.members("Owner", "tags", of: owners[0]).isEmpty)
        #expect(try tried.members("Owner", "tags", of: owners[1]).isEmpty)
        #expect(try tried.members("Tag", "owners", of: tags[0]).isEmpty)
    }

    @Test(arguments: EngineKind.allCases)
    func aRelationshipThatIsItsOwnInverseHasAPairForEachDirection(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let owners = try tried.insert("Owner", [[:], [:]])
        var changes = StoreChanges()
        // In the form that a save uses.
        changes.joins = [
            try pair(tried, "friends", owners[0], owners[1]), try pair(tried, "friends", owners[1], owners[0]),
        ]
        try tried.apply(changes)
        try expectEqual(tried.members("Owner", "friends", of: owners[0]), [owners[1]])
        try expectEqual(tried.members("Owner", "friends", of: owners[1]), [owners[0]])
        changes.joins = []
        changes.deletes = [try tried.change("Owner", owners[0], version: 1, [:])]
        try tried.apply(changes)
        #expect(try tried.members("Owner", "friends", of: owners[1]).isEmpty)
    }

    @Test(arguments: EngineKind.allCases)
    func aRelationshipWithoutAnInverseHasOwnersOrPairs(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let (layout, slot) = (try tried.layout("Owner"), try tried.slot("Owner", "things"))
        guard tried.engine.hasOwnerColumn(layout, slot) else {
            #expect(tried.engine.hasJoinTable(layout, slot))
            return
        }
        #expect(try !tried.engine.hasOwnerColumn(layout, tried.slot("Owner", "pets")))
        let owners = try tried.insert("Owner", [[:], [:]])
        let things = try tried.insert("Thing", [[:], [:]])
        var changes = StoreChanges()
        changes.owners = things.map { OwnerOperation(layout: layout, slot: slot, source: owners[0], member: $0) }
        try tried.apply(changes)
        try expectEqual(Set(tried.members("Owner", "things", of: owners[0])), Set(things))
        // A member changes its owner in one save: it is released first.
        changes.releases = [OwnerOperation(layout: layout, slot: slot, member: things[0])]
        changes.owners = [OwnerOperation(layout: layout, slot: slot, source: owners[1], member: things[0])]
        try tried.apply(changes)
        try expectEqual(tried.members("Owner", "things", of: owners[0]), [things[1]])
        try expectEqual(tried.members("Owner", "things", of: owners[1]), [things[0]])
        // A deleted owner leaves no trace in its members.
        changes = StoreChanges()
        changes.deletes = [try tried.change("Owner", owners[0], version: 1, [:])]
        try tried.apply(changes)
        #expect(try tried.members("Owner", "things", of: owners[0]).isEmpty)
        try expectEqual(tried.members("Owner", "things", of: owners[1]), [things[0]])
    }

    @Test(arguments: EngineKind.allCases)
    func anOrderIsKept(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let owner = try tried.insert("Owner", [[:]])[0]
        let tags = try tried.insert("Tag", [[:], [:], [:], [:]])
        let keeper = RowValue.key(try tried.key("Owner", owner))
        let pets = try tried.insert("Animal", [["keeper": keeper], ["keeper": keeper], ["keeper": keeper]])
        var changes = StoreChanges()
        changes.joins = try tags.map { try pair(tried, "ranks", owner, $0) }
        changes.orders = [
            try order(tried, "ranks", owner, [tags[2], tags[0], tags[3], tags[1]]),
            try order(tried, "queue", owner, pets.reversed()),
        ]
        try tried.apply(changes)
        try expectEqual(tried.members("Owner", "ranks", of: owner), [tags[2], tags[0], tags[3], tags[1]])
        try expectEqual(tried.members("Owner", "queue", of: owner), pets.reversed())
        let (layout, slot) = (try tried.layout("Owner"), try tried.slot("Owner", "queue"))
        let batch = try tried.reading { try $0.members(layout: layout, slot: slot, owners: [owner]) }
        expectEqual(TriedEngine.keys(batch), pets.reversed())
        // Reorder, then append.
        changes = StoreChanges()
        changes.orders = [try order(tried, "ranks", owner, tags)]
        try tried.apply(changes)
        try expectEqual(tried.members("Owner", "ranks", of: owner), tags)
        let last = try tried.insert("Animal", [["keeper": keeper]])[0]
        changes.orders = [try order(tried, "queue", owner, [last], isAppended: true)]
        try tried.apply(changes)
        try expectEqual(tried.members("Owner", "queue", of: owner), pets.reversed() + [last])
    }
}
