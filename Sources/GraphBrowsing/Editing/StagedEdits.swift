// The unsaved changes of one reader: a context of its own beside those of the program, with undo. Owned by a reader's
// session on the server, so that edits survive a reload of the page. The context is not a child of another one, so that
// it detects conflicts with every writer, the program's own contexts included.
import Foundation
import ManagedGraph

/// Changes of a reader that are not saved yet.
///
/// Methods may be called from any thread; they run one after the other.
public final class StagedEdits: Sendable {
    /// The rows that are edited.
    public let session: BrowsingSession
    let context: NSManagedObjectContext
    // Used on the queue of the context.
    nonisolated(unsafe) var conflicted: [NSManagedObject] = []
    nonisolated(unsafe) private var created: [String] = []
    nonisolated(unsafe) private var saveProblems: [StagedProblem] = []

    /// Begins without changes.
    ///
    /// - Parameters:
    ///   - session: The rows to edit.
    ///   - author: The author of saved transactions, which the history records.
    public init(_ session: BrowsingSession, author: String = "studio") {
        self.session = session
        context = NSManagedObjectContext(.privateQueue)
        context.name = "browser edits"
        context.transactionAuthor = author
        context.persistentStoreCoordinator = session.coordinator
        let undoManager = UndoManager()
        undoManager.levelsOfUndo = 200
        context.undoManager = undoManager
    }

    var reader: CellReader { session.cells }

    /// The changes.
    ///
    /// - Returns: The changed objects, and the rules they violate.
    public func state() async -> StagedState {
        await context.perform { self.current() }
    }

    /// Applies edits as one step, which can be undone.
    ///
    /// - Parameter edits: The edits.
    /// - Returns: The changes.
    /// - Throws: 134030 if the store is read-only, 134060 for an unknown name and an edit that does not suit the property,
    ///   1550 for a text that is not a value of it, 133000 if an object is gone; no edit is then applied.
    public func apply(_ edits: [StagedEdit]) async throws -> StagedState {
        try refuseReadOnly()
        return try await context.perform { [self] in
            var names: [String] = []
            saveProblems = []
            let undoManager = context.undoManager
            undoManager?.closeOpenGroups()
            // At the limit a new step would discard the oldest, and the number of steps would not reveal it.
            let levels = undoManager?.levelsOfUndo ?? 0
            undoManager?.levelsOfUndo = 0
            defer { undoManager?.levelsOfUndo = levels }
            let depth = undoManager?.undoCount ?? 0
            do {
                for edit in edits { if let name = try apply(edit) { names.append(name) } }
                context.processPendingChanges()
            } catch {
                // Revert the edits before the rejected one.
                context.processPendingChanges()
                undoManager?.closeOpenGroups()
                if let undoManager, undoManager.undoCount > depth {
                    context.undo()
                    undoManager.dropRedo()
                }
                throw error
            }
            undoManager?.closeOpenGroups()
            created = names
            return current()
        }
    }

    /// Undoes the last step.
    ///
    /// - Returns: The changes.
    public func undo() async -> StagedState {
        await context.perform { [self] in
            saveProblems = []
            context.undo()
            return current()
        }
    }

    /// Repeats the step that was undone last.
    ///
    /// - Returns: The changes.
    public func redo() async -> StagedState {
        await context.perform { [self] in
            saveProblems = []
            context.redo()
            return current()
        }
    }

    /// Drops all changes.
    ///
    /// - Returns: The state without changes.
    public func discard() async -> StagedState {
        await context.perform { [self] in
            forgetAll()
            return current()
        }
    }

    /// Saves all changes, or none.
    ///
    /// If a rule is violated or another writer has changed an object, the changes stay staged, and the state lists
    /// the reasons.
    ///
    /// - Returns: The state; `isSaved` is true if everything was saved.
    /// - Throws: 134030 if the store is read-only, and errors of the store, such as 640 for a full disk; the changes stay
    ///   staged.
    public func save() async throws -> StagedState {
        try refuseReadOnly()
        return try await context.perform { [self] in
            (saveProblems, conflicted) = ([], [])
            do {
                try context.save()
            } catch let error as NSError {
                if error.code == NSManagedObjectMergeError,
                    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
                {
                    conflicted = conflicts.map(\.sourceObject)
                    return current()
                }
                guard error.domain == NSCocoaErrorDomain, Self.isRule(error.code) else { throw error }
                saveProblems = problems(of: error)
                return current()
            }
            forgetAll()
            var state = current()
            state.isSaved = true
            return state
        }
    }

    private static func isRule(_ code: Int) -> Bool {
        (NSManagedObjectValidationError...NSManagedObjectValidationError + 149).contains(code)
            || code == NSManagedObjectConstraintMergeError || code == NSManagedObjectConstraintValidationError
    }

    private func forgetAll() {
        context.undoManager?.removeAllActions()
        context.reset()
        (conflicted, created, saveProblems) = ([], [], [])
    }

    private func refuseReadOnly() throws {
        guard !session.isWritable else { return }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store was opened for reading only.",
            remedy: "Start the studio with --write, and open the store again."
        )
    }

    // MARK: The state

    /// The state, on the queue of the context.
    func current() -> StagedState {
        context.processPendingChanges()
        let changes = listChanges()
        var problems = saveProblems
        for problem in violations() where !problems.contains(problem) { problems.append(problem) }
        return StagedState(
            changes: changes,
            problems: problems,
            conflicts: conflicted.isEmpty ? [] : listConflicts(),
            canUndo: context.undoManager?.canUndo ?? false,
            canRedo: context.undoManager?.canRedo ?? false,
            created: created,
            isSaved: false
        )
    }

    private func listChanges() -> [StagedChange] {
        func sorted(_ objects: Set<NSManagedObject>) -> [NSManagedObject] {
            objects.map { (reader.names.name($0.objectID), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        var changes: [StagedChange] = []
        for object in sorted(context.insertedObjects) {
            changes.append(
                StagedChange(link: reader.link(object), state: .inserted, values: values(object, isNew: true))
            )
        }
        for object in sorted(context.updatedObjects) where object.hasPersistentChangedValues {
            let values = values(object, isNew: false)
            guard !values.isEmpty else { continue }
            changes.append(StagedChange(link: reader.link(object), state: .updated, values: values))
        }
        for object in sorted(context.deletedObjects) {
            changes.append(StagedChange(link: reader.link(object), state: .deleted, values: []))
        }
        return changes
    }

    private func values(_ object: NSManagedObject, isNew: Bool) -> [StagedChange.Value] {
        let shape = session.shapes[object.entity.name ?? ""]
        let changed = object.changedValues()
        let committed = isNew ? [:] : object.committedValues(forKeys: Array(changed.keys))
        return (shape?.properties ?? []).compactMap { property -> StagedChange.Value? in
            guard let value = changed[property.name] else { return nil }
            if property.kind == .toMany {
                // The other side of a to-one relationship is listed at the member.
                let inverse = property.inverse.flatMap { session.shapes[property.type]?.property($0) }
                if inverse?.kind == .toOne { return nil }
                let (before, after) = (Set(CellReader.list(committed[property.name])), Set(CellReader.list(value)))
                if before == after, !property.isOrdered || isNew { return nil }
                return StagedChange.Value(
                    property: property.name,
                    before: isNew ? nil : BrowserCell(.toMany, count: before.count),
                    after: BrowserCell(.toMany, count: after.count),
                    added: after.subtracting(before).count,
                    removed: before.subtracting(after).count
                )
            }
            let after = reader.cell(value, property)
            if isNew { return after == .null ? nil : StagedChange.Value(property: property.name, after: after) }
            let before = reader.cell(committed[property.name], property)
            return StagedChange.Value(property: property.name, before: before, after: after)
        }
    }

    // MARK: Rules

    private func violations() -> [StagedProblem] {
        var problems: [StagedProblem] = []
        func note(_ object: NSManagedObject, _ validate: () throws -> Void) {
            do { try validate() } catch { problems += self.problems(of: error as NSError, object) }
        }
        for object in context.insertedObjects { note(object, object.validateForInsert) }
        for object in context.updatedObjects where object.hasPersistentChangedValues {
            note(object, object.validateForUpdate)
        }
        for object in context.deletedObjects { note(object, object.validateForDelete) }
        return problems.sorted { ($0.link?.id ?? "", $0.property ?? "") < ($1.link?.id ?? "", $1.property ?? "") }
    }

    func problems(of error: NSError, _ object: NSManagedObject? = nil) -> [StagedProblem] {
        CoreDataError.details(error).map { error in
            let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject ?? object
            return StagedProblem(
                link: object.map(reader.link),
                property: error.userInfo[NSValidationKeyErrorKey] as? String,
                message: error.localizedDescription,
                remedy: error.localizedRecoverySuggestion,
                code: error.code
            )
        }
    }
}

extension UndoManager {
    /// Ends the group of an event, so that the next edit is a step of its own.
    fileprivate func closeOpenGroups() { while groupingLevel > 0 { endUndoGrouping() } }

    /// Removes the steps that can be repeated.
    fileprivate func dropRedo() {
        // Registering an operation removes them.
        let target = NSObject()
        registerUndo(withTarget: target) { _ in }
        closeOpenGroups()
        removeAllActions(withTarget: target)
    }
}
