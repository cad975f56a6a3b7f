// Saves and rollbacks of relationships one side of which is outdated: deleted, dropped or extended by another context.
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite struct OutdatedSides {
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

    @Test func membersThatOnlyTheParentKnowsStayInAnOrderFromTheChild() throws {
        let model = RelationsModel.make((.many("List.items", ordered: true), .one("Item.list")))
        let stack = try Stack(model: model)
        let (parent, child) = (stack.context, stack.context.makeChild())
        let list = try child.performAndWait { () throws in
            let list = try child.make("List", "l")
            try child.save()
            // The child reads no members after this.
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
            #expect(members == "ba")
            try parent.save()
        }
        #expect(try stack.stored("List", "l", "items") == "ba")
    }
}
