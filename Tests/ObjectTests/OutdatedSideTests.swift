// Saves and rollbacks of relationships one side of which is outdated: deleted, dropped or extended by another context.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct OutdatedSides {
    @Test func anObjectThatTheParentHasDroppedLosesItsChangesByARollback() throws {
        let stack = try Stack(model: RelationsModel.make((.one("Man.badge"), .one("Badge.owner"))))
        let (parent, child) = (stack.context, stack.context.makeChild())
        let badge = try child.performAndWait { () throws in
            let badge = try child.make("Badge", "b")
            try child.save()
            return badge
        }
        parent.performAndWait { parent.rollback() }
        try child.performAndWait { () throws in
            badge.setValue(try child.make("Man", "m"), forKey: "owner")
            child.refresh(badge, mergeChanges: true)
            child.rollback()
            #expect(child.invariantViolations(inverses: .none).isEmpty)
            #expect(badge.changedValues().isEmpty)
        }
    }

    @Test func membersThatOnlyTheParentHasStayBeforeThoseThatTheChildAdds() throws {
        let model = RelationsModel.make((.many("List.items", ordered: true), .one("Item.list")))
        let stack = try Stack(model: model)
        let (parent, child) = (stack.context, stack.context.makeChild())
        let list = try child.performAndWait { () throws in
            let list = try child.make("List", "l")
            try child.save()
            // From here on, the child reads no members.
            _ = list.joinedNames("items")
            return list
        }
        try parent.performAndWait { () throws in
            try parent.find("List", "l").relate("items", [try parent.make("Item", "a")])
        }
        try child.performAndWait { () throws in
            list.relate("items", [try child.make("Item", "b")])
            try child.save()
        }
        try parent.performAndWait { () throws in
            let members = try parent.find("List", "l").joinedNames("items")
            expectEqual(members, "ab")
            try parent.save()
        }
        try expectEqual(stack.stored("List", "l", "items"), "ab")
    }

    @Test func aMemberAddedToAnObjectThatAnotherContextHasDeletedIsAConflict() throws {
        let stack = try Stack(model: RelationsModel.make((.many("Tag.men"), .many("Man.tags"))))
        let (mine, theirs) = (stack.context, stack.otherContext())
        try mine.performAndWait { () throws in
            let (tag, man) = (try mine.make("Tag", "t"), try mine.make("Man", "m"))
            try mine.save()
            try theirs.performAndWait { () throws in
                theirs.delete(try theirs.find("Tag", "t"))
                try theirs.save()
            }
            tag.relate("men", [man])
            mine.refresh(man, mergeChanges: false)
            let error = #expect(throws: NSError.self) { try mine.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
        }
        let tables = try stack.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z\\__%' ESCAPE '\\'"
        )
        let joins = tables.compactMap { if case .text(let name)? = $0.first { name } else { nil } }
            .filter { $0.hasSuffix("MEN") || $0.hasSuffix("TAGS") }
        expectEqual(joins.count, 1)
        for join in joins {
            let rows = try stack.rows("SELECT * FROM \(join)")
            #expect(rows.isEmpty)
        }
    }
}
