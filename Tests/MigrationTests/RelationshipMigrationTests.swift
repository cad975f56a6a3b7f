// Tests changes of relationships: to-one to to-many, with and without inverses, orders, renamings, removals.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTools
import Testing

@Suite(.inDatabasesToo) struct RelationshipMigrationTests {
    static func entity(_ name: String, _ properties: String, _ more: String = "") -> String {
        "<entity name=\"\(name)\" \(more)><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\(properties)</entity>"
    }

    /// A subentity of Thing, which has the name.
    static let special = "<entity name=\"Special\" parentEntity=\"Thing\"/>"

    static func relation(_ name: String, _ destination: String, _ inverse: String?, many: Bool, _ more: String = "")
        -> String
    {
        let inverseAttributes = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
        let count = many ? "toMany=\"YES\"" : "maxCount=\"1\""
        return
            "<relationship name=\"\(name)\" optional=\"YES\" \(count) destinationEntity=\"\(destination)\" \(inverseAttributes) \(more)/>"
    }

    /// Two lists and three items, two of which are in the first list.
    private func fillLists(_ versions: Versions, _ key: String = "list") throws {
        try versions.fill { context in
            let lists = ["l1", "l2"].map { context.add("List", ["name": $0]) }
            context.add("Item", ["name": "a", key: lists[0]])
            context.add("Item", ["name": "b", key: lists[0]])
            context.add("Item", ["name": "c"])
        }
    }

    private func names(_ value: Any?) -> [String] {
        let objects = (value as? NSOrderedSet)?.array ?? (value as? Set<NSManagedObject>).map(Array.init) ?? []
        return objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    }

    @Test func aToOneRelationshipBecomesToMany() throws {
        let versions = try Versions(
            Self.entity("Item", Self.relation("list", "List", "items", many: false))
                + Self.entity("List", Self.relation("items", "Item", "list", many: true)),
            Self.entity("Item", Self.relation("lists", "List", "items", many: true, "elementID=\"list\""))
                + Self.entity("List", Self.relation("items", "Item", "lists", many: true))
        )
        try fillLists(versions)
        try versions.use(2) { context in
            let lists = try context.all("List")
            expectEqual(names(lists[0].value(forKey: "items")).sorted(), ["a", "b"])
            try expectEqual(names(context.all("Item")[0].value(forKey: "lists")), ["l1"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func oneToOneBecomesOneToMany() throws {
        let versions = try Versions(
            Self.entity("Item", Self.relation("list", "List", "item", many: false))
                + Self.entity("List", Self.relation("item", "Item", "list", many: false)),
            Self.entity("Item", Self.relation("list", "List", "items", many: false))
                + Self.entity("List", Self.relation("items", "Item", "list", many: true, "elementID=\"item\""))
        )
        try versions.fill { $0.add("Item", ["name": "a", "list": $0.add("List", ["name": "l"])]) }
        try versions.use(2) { context in
            try expectEqual(names(context.all("List")[0].value(forKey: "items")), ["a"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test(arguments: [false, true])
    func aRelationshipBecomesOrderedAndBack(isOrderedFirst: Bool) throws {
        let order = { (isOrdered: Bool) in isOrdered ? "ordered=\"YES\"" : "" }
        let version = { (isOrdered: Bool) in
            Self.entity("Item", Self.relation("list", "List", "items", many: false))
                + Self.entity("List", Self.relation("items", "Item", "list", many: true, order(isOrdered)))
        }
        let versions = try Versions(version(isOrderedFirst), version(!isOrderedFirst))
        try fillLists(versions)
        try versions.use(2) { context in
            let list = try context.all("List")[0]
            expectEqual(names(list.value(forKey: "items")).sorted(), ["a", "b"])
            if !isOrderedFirst { expectEqual(names(list.value(forKey: "items")), ["a", "b"]) }
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func manyToManyBecomesOrdered() throws {
        let version = { (more: String) in
            Self.entity("Item", Self.relation("lists", "List", "items", many: true))
                + Self.entity("List", Self.relation("items", "Item", "lists", many: true, more))
        }
        let versions = try Versions(version(""), version("ordered=\"YES\""))
        try versions.fill { context in
            let items = ["a", "b"].map { context.add("Item", ["name": $0]) }
            context.add("List", ["name": "l", "items": Set(items)])
        }
        try versions.use(2) { context in
            let list = try context.all("List")[0]
            expectEqual(names(list.value(forKey: "items")).sorted(), ["a", "b"])
            context.add("Item", ["name": "c", "lists": Set([list])])
            try context.save()
            expectEqual(names(list.value(forKey: "items")).last, "c")
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRelationshipWithoutAnInverseBecomesOrdered() throws {
        let version = { (more: String) in
            Self.entity("Item", "") + Self.entity("List", Self.relation("items", "Item", nil, many: true, more))
        }
        let versions = try Versions(version(""), version("ordered=\"YES\""))
        try versions.fill { context in
            let items = ["a", "b", "c"].map { context.add("Item", ["name": $0]) }
            context.add("List", ["name": "l", "items": Set(items.dropLast())])
        }
        try versions.use(2) { context in
            try expectEqual(names(context.all("List")[0].value(forKey: "items")), ["a", "b"])
        }
        try versions.expectTablesOfNewStore()
        // Each member has a place.
        expectEqual(StoreChecker().check(versions.store).problems, [])
    }

    @Test(arguments: ["", "ordered=\"YES\""])
    func aStoreOfAttributesWithSpacesIsMigratedAndHasNoProblem(order: String) throws {
        func version(_ more: String) -> String {
            let text = "<attribute name=\"ident ifier\" attributeType=\"String\"/>"
            let tags = Self.relation("tags", "Tag", "items", many: true, order)
            return Self.entity("Item", tags + text + more)
                + Self.entity("Tag", Self.relation("items", "Item", "tags", many: true))
                + Self.entity("List", Self.relation("item", "Item", nil, many: false))
                + Self.entity("Box", Self.relation("contents", "Item", nil, many: true, order))
        }
        let versions = try Versions(
            version(""),
            version("<attribute name=\"ab\" optional=\"YES\" attributeType=\"UUID\"/>")
        )
        try versions.fill { context in
            let item = context.add("Item", ["name": "i", "ident ifier": "é"])
            context.add("List", ["name": "l", "item": item])
            for (name, key, owner) in [("t", "items", "Tag"), ("b", "contents", "Box")] {
                let object = context.add(owner, ["name": name])
                if key == "contents", !order.isEmpty {
                    object.setValue(NSOrderedSet(object: item), forKey: key)
                } else {
                    object.setValue(Set([item]), forKey: key)
                }
            }
        }
        try versions.use(2) { context in try expectEqual(context.values("ident ifier", "Item"), ["é"]) }
        expectEqual(StoreChecker().check(versions.store).problems, [])
    }

    @Test(arguments: [true, false])
    func anInverseIsAddedOrRemoved(isAdded: Bool) throws {
        let oneSided = Self.entity("Item", "") + Self.entity("List", Self.relation("items", "Item", nil, many: true))
        let both =
            Self.entity("Item", Self.relation("list", "List", "items", many: false))
            + Self.entity("List", Self.relation("items", "Item", "list", many: true))
        let versions = try isAdded ? Versions(oneSided, both) : Versions(both, oneSided)
        try versions.fill { context in
            let items = ["a", "b"].map { context.add("Item", ["name": $0]) }
            context.add("List", ["name": "l", "items": Set(items)])
        }
        try versions.use(2) { context in
            try expectEqual(names(context.all("List")[0].value(forKey: "items")).sorted(), ["a", "b"])
            guard isAdded else { return }
            try #expect(context.all("Item").allSatisfy { ($0.value(forKey: "list") as? NSManagedObject) != nil })
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func relationshipsToTheObjectsOfARemovedEntityEnd() throws {
        let versions = try Versions(
            Self.entity("Owner", Self.relation("thing", "Thing", "owners", many: false))
                + Self.entity("Thing", Self.relation("owners", "Owner", "thing", many: true))
                + Self.special,
            Self.entity("Owner", Self.relation("thing", "Thing", "owners", many: false))
                + Self.entity("Thing", Self.relation("owners", "Owner", "thing", many: true))
        )
        try versions.fill { context in
            context.add("Owner", ["name": "kept", "thing": context.add("Thing", ["name": "t"])])
            context.add("Owner", ["name": "alone", "thing": context.add("Special", ["name": "s"])])
        }
        try versions.use(2) { context in
            let things = try context.all("Owner").map {
                ($0.value(forKey: "thing") as? NSManagedObject)?.value(forKey: "name")
            }
            expectEqual(things.map { $0 as? String }, ["t", nil])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRelationshipIntoAHierarchyHasItsNewEntityNumbers() throws {
        let version = { (first: String) in
            first + Self.entity("Owner", Self.relation("thing", "Thing", nil, many: false))
                + Self.entity("Thing", "") + Self.special
        }
        let versions = try Versions(version(""), version(Self.entity("Album", "")))
        try versions.fill { context in
            context.add("Owner", ["name": "a", "thing": context.add("Thing", ["name": "t"])])
            context.add("Owner", ["name": "b", "thing": context.add("Special", ["name": "s"])])
        }
        try versions.use(2) { context in
            let entities = try context.all("Owner").map { ($0.value(forKey: "thing") as? NSManagedObject)?.entity.name }
            expectEqual(entities, ["Thing", "Special"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aDestinationThatGetsSubentitiesIsNumbered() throws {
        let versions = try Versions(
            Self.entity("Owner", Self.relation("thing", "Thing", nil, many: false)) + Self.entity("Thing", ""),
            Self.entity("Owner", Self.relation("thing", "Thing", nil, many: false)) + Self.entity("Thing", "")
                + Self.special
        )
        try versions.fill { $0.add("Owner", ["name": "a", "thing": $0.add("Thing", ["name": "t"])]) }
        try versions.use(2) { context in
            let thing = try context.all("Owner")[0].value(forKey: "thing") as? NSManagedObject
            expectEqual(thing?.value(forKey: "name") as? String, "t")
        }
        try versions.expectTablesOfNewStore()
    }
}
