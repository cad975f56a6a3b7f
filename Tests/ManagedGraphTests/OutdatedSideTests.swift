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
}
