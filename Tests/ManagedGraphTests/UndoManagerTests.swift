// The undo manager on its own: groups, stacks, names.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct UndoManagers {
    private final class Counter {
        var value = 0
        func set(_ new: Int, _ manager: UndoManager) {
            let old = value
            manager.registerUndo(withTarget: self) { $0.set(old, manager) }
            value = new
        }
    }

    @Test func undoAndRedoGoBackAndForth() {
        let manager = UndoManager()
        let counter = Counter()
        for value in 1...3 {
            manager.beginUndoGrouping()
            counter.set(value, manager)
            manager.endUndoGrouping()
        }
        expectEqual(manager.undoCount, 3)
        #expect(!manager.canRedo)
        manager.undo()
        manager.undo()
        expectEqual(counter.value, 1)
        #expect(manager.canRedo)
        expectEqual(manager.redoCount, 2)
        manager.redo()
        expectEqual(counter.value, 2)
        manager.beginUndoGrouping()
        counter.set(9, manager)
        manager.endUndoGrouping()
        #expect(!manager.canRedo)
        while manager.canUndo { manager.undo() }
        expectEqual(counter.value, 0)
    }

    @Test func anUndoWithinAnUndoDoesNothing() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        let (first, second) = (Counter(), Counter())
        manager.beginUndoGrouping()
        first.set(1, manager)
        manager.registerUndo(withTarget: second) { counter in
            counter.set(0, manager)
            manager.undo()
        }
        second.value = 1
        manager.endUndoGrouping()
        manager.undo()
        #expect(first.value == 0 && second.value == 0 && manager.redoCount == 1)
        // One group again, with the operations of both.
        manager.redo()
        #expect(first.value == 1 && second.value == 1 && manager.undoCount == 1)
    }

    @Test func anUndoHandlerMayRemoveAllActions() {
        let manager = UndoManager()
        let counter = Counter()
        manager.beginUndoGrouping()
        counter.set(1, manager)
        manager.registerUndo(withTarget: counter) { _ in manager.removeAllActions() }
        manager.endUndoGrouping()
        manager.undo()
        // The actions before it in the group were undone after it, and form the redo.
        expectEqual(counter.value, 0)
        expectEqual(manager.groupingLevel, 0)
        #expect(!manager.canUndo && !manager.isUndoing)
        manager.beginUndoGrouping()
        counter.set(2, manager)
        manager.endUndoGrouping()
        manager.undo()
        expectEqual(counter.value, 0)
    }

    @Test func theOpenGroupDeterminesWhetherUndoIsDiscardable() {
        let manager = UndoManager()
        let counter = Counter()
        manager.beginUndoGrouping()
        counter.set(1, manager)
        #expect(!manager.undoActionIsDiscardable)
        manager.setActionIsDiscardable(true)
        #expect(manager.undoActionIsDiscardable)
        manager.endUndoGrouping()
        #expect(manager.undoActionIsDiscardable)
        manager.beginUndoGrouping()
        #expect(manager.undoActionIsDiscardable)
        counter.set(2, manager)
        #expect(!manager.undoActionIsDiscardable)
        manager.endUndoGrouping()
        #expect(!manager.undoActionIsDiscardable)
    }

    @Test func groupsNestAndAreUndoneTogether() {
        let manager = UndoManager()
        let counter = Counter()
        manager.beginUndoGrouping()
        counter.set(1, manager)
        manager.beginUndoGrouping()
        counter.set(2, manager)
        expectEqual(manager.groupingLevel, 2)
        manager.endUndoGrouping()
        counter.set(3, manager)
        manager.endUndoGrouping()
        manager.undo()
        expectEqual(counter.value, 0)
        manager.redo()
        expectEqual(counter.value, 3)
    }

    @Test func aGroupOpensByItselfAndClosesAtTheUndo() {
        let manager = UndoManager()
        let counter = Counter()
        counter.set(1, manager)
        counter.set(2, manager)
        expectEqual(manager.groupingLevel, 1)
        manager.undo()
        expectEqual(counter.value, 0)
    }

    // "Invoking this method … also invokes endUndoGrouping() if the nesting level is 1."
    @Test func anUndoEndsTheOneOpenGroup() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        let counter = Counter()
        manager.beginUndoGrouping()
        counter.set(1, manager)
        manager.undo()
        expectEqual(counter.value, 0)
        expectEqual(manager.groupingLevel, 0)
        #expect(manager.canRedo)
    }

    @Test func levelsOfUndoForgetTheOldest() {
        let manager = UndoManager()
        manager.levelsOfUndo = 2
        let counter = Counter()
        for value in 1...5 {
            manager.beginUndoGrouping()
            counter.set(value, manager)
            manager.endUndoGrouping()
        }
        while manager.canUndo { manager.undo() }
        expectEqual(counter.value, 3)
    }

    @Test func disabledRegistrationRecordsNothing() {
        let manager = UndoManager()
        let counter = Counter()
        manager.disableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        counter.set(1, manager)
        manager.enableUndoRegistration()
        #expect(!manager.canUndo)
    }

    @Test func actionsAreForgottenByTargetAndTargetsAreNotKept() {
        let manager = UndoManager()
        let first = Counter()
        var second: Counter? = Counter()
        manager.beginUndoGrouping()
        first.set(1, manager)
        second?.set(1, manager)
        manager.endUndoGrouping()
        manager.removeAllActions(withTarget: first)
        manager.undo()
        expectEqual(first.value, 1)
        expectEqual(second?.value, 0)
        weak let gone = second
        second = nil
        expectNil(gone)
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test func namesAreForMenus() {
        let manager = UndoManager()
        let counter = Counter()
        manager.beginUndoGrouping()
        counter.set(1, manager)
        manager.setActionName("Count")
        manager.endUndoGrouping()
        expectEqual(manager.undoMenuItemTitle, "Undo Count")
        expectEqual(manager.redoMenuItemTitle, "Redo")
        manager.undo()
        expectEqual(manager.redoActionName, "Count")
        expectEqual(manager.undoMenuItemTitle, "Undo")
    }
}
