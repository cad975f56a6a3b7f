// The responses to forms with drafts: individual changes, undo and redo, and the save when the reader leaves.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird

extension ScreenResponder {
    /// Prepares the object of a draft's screen, and returns the draft that this browser has left there.
    func enter(_ hit: Hit, _ screen: any DraftScreen) async throws -> Draft? {
        try await hit.store.perform { turn in
            do {
                try screen.enter(at: hit.place(turn))
                if turn.context.hasChanges { try turn.context.save() }
            } catch {
                turn.context.rollback()
                throw error
            }
        }
        return hit.browser.flatMap { hit.store.drafts.find(Draft.Key(browser: $0, address: hit.address)) }
    }

    /// Performs a draft's action; returns nil for actions that the screen itself performs.
    func edit(_ hit: Hit, _ screen: any DraftScreen, _ action: Action, _ oversizedFile: String?, wantsJSON: Bool)
        async throws -> Result?
    {
        let draft: Draft
        switch action.name {
        case "change", "undo", "redo": draft = try await hit.store.draft(for: hit, screen)
        case "save": return try await save(hit, screen, action, oversizedFile, wantsJSON: wantsJSON)
        default: return nil
        }
        do {
            return .form(
                json: try await hit.store.perform(in: draft) { turn in
                    try Self.check(oversizedFile)
                    switch action.name {
                    case "change": try draft.change(try action.text("field"), action, turn)
                    case "undo": draft.step(isRedo: false)
                    default: draft.step(isRedo: true)
                    }
                    turn.context.processPendingChanges()
                    return try Self.formJSON(hit, turn, state: draft.state(turn, for: hit.reader))
                }
            )
        } catch ScreenError.notFound {
            hit.store.drafts.remove(draft)
            throw ScreenError.notFound
        }
    }

    private func save(
        _ hit: Hit,
        _ screen: any DraftScreen,
        _ action: Action,
        _ oversizedFile: String?,
        wantsJSON: Bool
    ) async throws -> Result {
        let draft = try await hit.store.draft(for: hit, screen)
        let result: Result
        do {
            result = try await hit.store.perform(in: draft) { turn in
                var action = action
                do {
                    try Self.check(oversizedFile)
                    if let undecided = try Self.merge(&action, hit, turn.shared) {
                        return try self.undecided(undecided, action, hit, turn.shared, wantsHTML: !wantsJSON)
                    }
                    let page = try screen.page(at: hit.place(turn))
                    try draft.save(action, turn)
                    return .go(hit.back(page).address)
                } catch {
                    return try self.refused(error, action, hit, turn.shared, wantsHTML: !wantsJSON)
                }
            }
        } catch ScreenError.notFound {
            hit.store.drafts.remove(draft)
            return deleted(action, hit)
        }
        // Without scripts the next page contains the input.
        if case .go = result { hit.store.drafts.remove(draft) } else if !wantsJSON { hit.store.drafts.remove(draft) }
        return result
    }

    /// Returns a form's current state as JSON, for its own browser: `-form`.
    func form(_ hit: Hit) async throws -> String {
        if hit.screen is any DraftScreen, let browser = hit.browser,
            let draft = hit.store.drafts.find(Draft.Key(browser: browser, address: hit.address))
        {
            return try await hit.store.perform(in: draft) { turn in
                try Self.formJSON(hit, turn, state: draft.state(turn, for: hit.reader))
            }
        }
        return try await hit.store.perform { try Self.formJSON(hit, $0, state: FormState()) }
    }

    /// Returns the live form if the form has pickers or a draft; nil for other forms.
    static func live(_ form: Form, _ hit: Hit, _ turn: ApplicationStore.Turn) throws -> LiveForm? {
        let hasChoices = form.fields.contains { if case .choice = $0.kind { true } else { false } }
        guard hasChoices || hit.screen is any DraftScreen else { return nil }
        let place = hit.place(turn.shared)
        let live = try turn.tables.form(at: hit.address, description: form) {
            guard case .form(let form) = try hit.screen.page(at: place).content else { throw ScreenError.notFound }
            return form.fields.map { $0.value(for: .neutral) }.joined(separator: "\u{1}")
        }
        live.use()
        return live
    }

    /// Returns the contents of `state.live`.
    static func liveState(_ live: LiveForm, _ form: Form) -> FormState.Live {
        var options: [String: [ChoiceOption]] = [:]
        for field in form.fields {
            if case .choice = field.kind { options[field.name] = live.options(field.name) }
        }
        return FormState.Live(version: live.broadcaster.versionText, options: options)
    }

    private static func formJSON(_ hit: Hit, _ turn: ApplicationStore.Turn, state: FormState) throws -> String {
        guard case .form(let form) = try hit.screen.page(at: hit.place(turn)).content else {
            throw ScreenError.notFound
        }
        var state = state
        state.live = try live(form, hit, turn).map { liveState($0, form) }
        return state.json(form, hit.reader)
    }
}
