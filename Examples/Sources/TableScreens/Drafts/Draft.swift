// One browser's unsaved work on one form: a child of the application's context, with undo. All but `Presence` is confined
// to the child's queue, and whoever works with it is on the application's queue as well (ApplicationStore.perform(in:)).
import CoreData
import Foundation
import Synchronization

final class Draft: @unchecked Sendable {
    /// Whose draft of which form.
    struct Key: Hashable, Sendable {
        let browser: String
        let address: String
    }

    /// Whether somebody has the form open.
    struct Presence {
        var streams = 0
        var lastUse = ContinuousClock.now
    }

    let key: Key
    let context: NSManagedObjectContext
    /// The request that it began with: where the screen is, and who reads.
    let hit: Hit
    let screen: any DraftScreen
    let presence = Mutex(Presence())
    /// What the fields held when the form was opened, or when others have saved what is untouched here.
    private(set) var opened: [String: String] = [:]
    /// What was typed and refused, with the reason.
    private(set) var refused: [String: (typed: String, reason: String)] = [:]

    init(_ key: Key, _ screen: any DraftScreen, _ hit: Hit, parent: NSManagedObjectContext) {
        self.key = key
        self.hit = hit
        self.screen = screen
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = parent
        context.automaticallyMergesChangesFromParent = true
        context.undoManager = UndoManager()
    }

    /// Whether it can be undone, and redone.
    var canUndo: Bool { context.undoManager?.canUndo == true }
    var canRedo: Bool { context.undoManager?.canRedo == true }

    /// The form with the draft's values.
    func form(_ turn: ApplicationStore.Turn) throws -> Form {
        guard case .form(let form) = try screen.page(at: hit.place(turn)).content else { throw ScreenError.notFound }
        return form
    }

    /// The form with what is saved.
    private func savedForm(_ turn: ApplicationStore.Turn) throws -> Form { try form(turn.shared) }

    /// Notes what others have saved in fields that are untouched here.
    func follow(_ turn: ApplicationStore.Turn, for reader: Reader) throws {
        let own = try form(turn).values(for: reader)
        let saved = try savedForm(turn).values(for: reader)
        for (name, value) in saved where refused[name] == nil {
            if opened[name] == nil || own[name] == opened[name] || own[name] == value { opened[name] = value }
        }
    }

    /// Sets a field.
    func change(_ name: String, _ action: Action, _ turn: ApplicationStore.Turn) throws {
        let own = try form(turn).values(for: hit.reader)
        guard let present = own[name] else { throw ScreenError.unknownAction(name) }
        // A field tells twice what was typed: when one pauses, and when one leaves it. The second is no step to undo.
        guard action.fields[name] != present || refused[name] != nil else { return }
        if present == opened[name], refused[name] == nil {
            opened[name] = action.fields[Field.openedPrefix + name] ?? present
        }
        try set(name, action, turn)
    }

    /// A text that is refused is kept beside the object, so that it is there when the page is loaded again.
    private func set(_ name: String, _ action: Action, _ turn: ApplicationStore.Turn) throws {
        do {
            try screen.change(name, in: action, at: hit.place(turn))
            refused[name] = nil
        } catch ScreenError.badInput(let reason) {
            refused[name] = (action.fields[name] ?? "", reason)
        }
    }

    /// Takes the last change back, or again.
    func step(isRedo: Bool) {
        refused = [:]
        if isRedo { context.redo() } else { context.undo() }
    }

    /// Saves into the application's context and from there into the store.
    ///
    /// - Throws: what is wrong with the fields; the errors of `save()`. Everything typed is still in the draft then.
    func save(_ action: Action, _ turn: ApplicationStore.Turn) throws {
        for (name, value) in try form(turn).values(for: hit.reader) {
            guard let typed = action.fields[name], typed != value || refused[name] != nil else { continue }
            try set(name, action, turn)
        }
        let reasons = Set(refused.values.map(\.reason)).sorted()
        guard reasons.isEmpty else { throw ScreenError.badInput(reasons.joined(separator: " ")) }
        try screen.leave(at: hit.place(turn))
        let mine = try form(turn).values(for: hit.reader)
        guard context.hasChanges else { return }
        try context.save()
        do {
            try turn.shared.context.save()
        } catch {
            // The child has given its changes away: they are taken back from the parent, and made anew here.
            turn.shared.context.rollback()
            context.reset()
            for (name, value) in try form(turn).values(for: hit.reader) where mine[name] != value {
                try set(name, Action(fields: mine, for: hit.reader), turn)
            }
            throw error
        }
    }

    /// What was typed and is not saved, for a merge with what others have saved.
    func sent(_ turn: ApplicationStore.Turn) throws -> [String: String] {
        var fields = try form(turn).values(for: hit.reader)
        for (name, entry) in refused { fields[name] = entry.typed }
        for (name, value) in opened { fields[Field.openedPrefix + name] = value }
        return fields
    }

    /// How the form shows it.
    func state(_ turn: ApplicationStore.Turn, for reader: Reader) throws -> FormState {
        try follow(turn, for: reader)
        var state = FormState()
        state.opened = opened
        state.typed = refused.mapValues(\.typed)
        state.errors = refused.mapValues(\.reason)
        state.draft = (canUndo, canRedo)
        return state
    }
}
