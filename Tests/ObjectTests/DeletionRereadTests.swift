// Deletions of objects that another context relates to others before the save: the delete rules reach those, too.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct DeletionRereads {
    /// The ways in which a context learns of another's save.
    enum News: CaseIterable {
        case merge, refreshAll, conflict
    }

    /// Deletes an object in one context, changes it in another, and saves first the change, then the deletion.
    private func collide(
        _ rule: NSDeleteRule,
        _ news: News,
        deleting name: (entity: String, name: String),
        _ change: (NSManagedObjectContext) throws -> Void,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let stack = try Stack(model: RelationsModel.make((.many("Firm.staff", rule), .one("Man.firm"))))
        let (mine, theirs) = (stack.context, stack.otherContext())
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try mine.performAndWait { () throws in
            let firms = try mine.make("Firm", names: "fg")
            let men = try mine.make("Man", names: "mn")
            men[0].setValue(firms[0], forKey: "firm")
            try mine.save()
            // Registered in this context, so that they would keep outdated members.
            for firm in firms { #expect(firm.joinedNames("staff").count <= 1) }
            mine.delete(try mine.find(name.entity, name.name))
            mine.processPendingChanges()
            try theirs.performAndWait { () throws in
                theirs.automaticallyMergesChangesFromParent = false
                try change(theirs)
                try theirs.save()
            }
            switch news {
            case .merge:
                let identifiers = try theirs.performAndWait { () throws in
                    try ["Firm", "Man"].flatMap { entity in
                        try theirs.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map(\.objectID)
                    }
                }
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSUpdatedObjectIDsKey: identifiers],
                    into: [mine]
                )
            case .refreshAll: mine.refreshAllObjects()
            case .conflict: break
            }
            // Members that are read now must not contain the deleted object once it is saved.
            for firm in firms where !firm.isDeleted { _ = firm.joinedNames("staff") }
            try mine.save()
            try body(mine)
            withExtendedLifetime((firms, men)) {}
        }
        let fresh = stack.otherContext()
        try fresh.performAndWait { () throws in try body(fresh) }
        let dangling = try stack.rows("SELECT COUNT(*) FROM ZMAN WHERE ZFIRM NOT IN (SELECT Z_PK FROM ZFIRM)")
        expectEqual(dangling, [[.integer(0)]])
    }

    @Test(arguments: News.allCases)
    func aDeletedObjectLeavesTheOwnerThatAnotherContextGaveIt(_ news: News) throws {
        try collide(.nullifyDeleteRule, news, deleting: ("Man", "m")) { theirs in
            try theirs.find("Man", "m").setValue(try theirs.find("Firm", "g"), forKey: "firm")
        } _: { context in
            for name in ["f", "g"] {
                let firm = try context.find("Firm", name)
                #expect(firm.joinedNames("staff").isEmpty)
            }
        }
    }

    @Test(arguments: News.allCases, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func membersThatAnotherContextAddedToADeletedObjectDoNotReferToIt(_ news: News, _ rule: NSDeleteRule) throws {
        try collide(rule, news, deleting: ("Firm", "f")) { theirs in
            let firm = try theirs.find("Firm", "f")
            firm.setValue(2, forKey: "number")
            try theirs.find("Man", "n").setValue(firm, forKey: "firm")
        } _: { context in
            let men = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Man"))
            expectEqual(men.count, (rule == .cascadeDeleteRule ? 0 : 2))
            #expect(men.allSatisfy { $0.value(forKey: "firm") == nil })
        }
    }

    @Test func aProgramThatGroupsItsUndoActionsNeedsNoGroupForTheChangesOfOthers() throws {
        let stack = try Stack(model: RelationsModel.make((.many("Firm.staff"), .one("Man.firm"))))
        let (mine, theirs) = (stack.context, stack.otherContext())
        let manager = UndoManager()
        manager.groupsByEvent = false
        try mine.performAndWait { () throws in
            let (firm, man) = (try mine.make("Firm", "f"), try mine.make("Man", "m"))
            try mine.save()
            mine.undoManager = manager
            manager.beginUndoGrouping()
            mine.delete(man)
            mine.processPendingChanges()
            manager.endUndoGrouping()
            try theirs.performAndWait { () throws in
                try theirs.find("Man", "m").setValue(try theirs.find("Firm", "f"), forKey: "firm")
                try theirs.save()
            }
            mine.refreshAllObjects()
            mine.processPendingChanges()
            #expect(firm.joinedNames("staff").isEmpty)
            try mine.save()
        }
    }
}
