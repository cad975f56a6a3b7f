// One browser's unsaved edits of one form: a child of the application's context, with undo. All but `Presence` is
// confined to the child's queue; callers are on the application's queue as well (ApplicationStore.perform(in:)).
import CoreData
import Foundation
import Synchronization

final class Draft: @unchecked Sendable {
    /// The browser and the address of the form.
    struct Key: Hashable, Sendable {
        let browser: String
        let address: String
    }

    /// Whether a browser has the form open.
    struct Presence {
        var streams = 0
        var lastUse = ContinuousClock.now
    }

    let key: Key
    let context: NSManagedObjectContext
    /// The request that created the draft: the address of the screen, and the reader.
    let requestContext: RequestContext
    let screen: any DraftScreen
    let presence = Mutex(Presence())
    /// The values of the fields when the form was opened; untouched fields follow the saves of others.
    private(set) var opened: [String: String] = [:]
    /// Rejected input, with the reason.
    private(set) var refused: [String: (typed: String, reason: String)] = [:]

    init(_ key: Key, _ screen: any DraftScreen, _ requestContext: RequestContext, parent: NSManagedObjectContext) {
        self.key = key
        self.requestContext = requestContext
        self.screen = screen
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.name = "draft"
        context.parent = parent
        context.automaticallyMergesChangesFromParent = true
        context.undoManager = UndoManager()
    }

    /// Whether there is a change to undo or to redo.
    var canUndo: Bool { context.undoManager?.canUndo == true }
    var canRedo: Bool { context.undoManager?.canRedo == true }

    /// Whether there is input that is not saved, rejected input included.
    var hasInput: Bool { context.hasChanges || !refused.isEmpty }

    /// Returns the form with the draft's values.
    func form(_ turn: ApplicationStore.Turn) throws -> Form {
        guard case .form(let form) = try screen.page(at: requestContext.place(turn)).content else {
            throw ScreenError.notFound
        }
        return form
    }

    /// Returns the form with the saved values.
    private func savedForm(_ turn: ApplicationStore.Turn) throws -> Form { try form(turn.shared) }

    /// Updates the opened values of untouched fields that others have saved.
    func follow(_ turn: ApplicationStore.Turn, for reader: Reader) throws {
        let own = try form(turn).values(for: reader)
        let saved = try savedForm(turn).values(for: reader)
        for (name, value) in saved where refused[name] == nil {
            if opened[name] == nil || own[name] == opened[name] || own[name] == value { opened[name] = value }
        }
    }

    /// Sets a field.
    func change(_ name: String, _ action: Action, _ turn: ApplicationStore.Turn) throws {
        guard let field = try form(turn).fields.first(where: { $0.name == name }) else {
            throw ScreenError.unknownAction(name)
        }
        let currentValue = field.value(for: requestContext.reader)
        let newValue = field.isPicture ? action.stamp(ofPicture: name) : action.fields[name]
        // A browser sends a field twice: when typing pauses, and when focus leaves it. The second must not be an undo
        // step.
        guard newValue != currentValue || refused[name] != nil else { return }
        if currentValue == opened[name], refused[name] == nil {
            opened[name] = action.fields[Field.openedPrefix + name] ?? currentValue
        }
        try set(name, action, turn)
    }

    /// Keeps rejected input beside the object, so that a reload of the page still shows it.
    private func set(_ name: String, _ action: Action, _ turn: ApplicationStore.Turn) throws {
        do {
            try screen.change(name, in: action, at: requestContext.place(turn))
            refused[name] = nil
        } catch ScreenError.badInput(let reason) {
            // A rejected file is not kept.
            let currentValue = try form(turn).fields.first { $0.name == name && $0.isPicture }?
                .value(for: requestContext.reader)
            refused[name] = (currentValue ?? action.fields[name] ?? "", reason)
        }
    }

    /// Undoes the last change, or redoes it.
    func step(isRedo: Bool) {
        refused = [:]
        if isRedo { context.redo() } else { context.undo() }
    }

    /// Saves to the application's context, and from there to the store.
    ///
    /// - Throws: The reasons of rejected fields; the errors of `save()`. The draft then still has all input.
    func save(_ action: Action, _ turn: ApplicationStore.Turn) throws {
        for field in try form(turn).fields {
            let value = field.value(for: requestContext.reader)
            let typed = action.stamp(ofPicture: field.name) ?? action.fields[field.name]
            guard let typed, typed != value || refused[field.name] != nil else { continue }
            var action = action
            if field.isPicture, action.stamp(ofPicture: field.name) == nil {
                // The saved picture stays in place of the draft's.
                try action.setPicture(field.name, in: savedForm(turn))
            }
            try set(field.name, action, turn)
        }
        let reasons = Set(refused.values.map(\.reason)).sorted()
        guard reasons.isEmpty else { throw ScreenError.badInput(reasons.joined(separator: " ")) }
        try screen.leave(at: requestContext.place(turn))
        let ownForm = try form(turn)
        let mine = ownForm.values(for: requestContext.reader)
        guard context.hasChanges else { return }
        try context.save()
        do {
            try turn.shared.context.save()
        } catch {
            // The child has pushed its changes: roll them back in the parent, and apply them to the child again.
            turn.shared.context.rollback()
            context.reset()
            for (name, value) in try form(turn).values(for: requestContext.reader) where mine[name] != value {
                var action = Action(fields: mine, for: requestContext.reader)
                action.setPicture(name, in: ownForm)
                try set(name, action, turn)
            }
            throw error
        }
    }

    /// Adds the stamps of pictures that the action does not contain.
    func addPictures(to action: inout Action, _ turn: ApplicationStore.Turn) throws {
        for field in try form(turn).fields where field.isPicture && action.stamp(ofPicture: field.name) == nil {
            action.fields[field.name] = field.value(for: requestContext.reader)
        }
    }

    /// Returns the unsaved input, for a merge with the saves of others.
    func sent(_ turn: ApplicationStore.Turn) throws -> [String: String] {
        var fields = try form(turn).values(for: requestContext.reader)
        for (name, entry) in refused { fields[name] = entry.typed }
        for (name, value) in opened { fields[Field.openedPrefix + name] = value }
        return fields
    }

    /// Returns the state that the form renders.
    func state(_ turn: ApplicationStore.Turn, for reader: Reader) throws -> FormState {
        try follow(turn, for: reader)
        var state = FormState()
        state.opened = opened
        state.typed = refused.mapValues(\.typed)
        state.errors = refused.mapValues(\.reason)
        state.draft = (canUndo, canRedo)
        return state
    }

    // MARK: Event streams, which keep the draft while a browser shows it

    func beginStream() { presence.withLock { $0.streams += 1 } }

    func endStream() {
        presence.withLock {
            $0.streams -= 1
            $0.lastUse = .now
        }
    }
}
