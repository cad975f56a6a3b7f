// The responses to forms with drafts: individual changes, undo and redo, and the save when the reader leaves.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// Prepares the object of a draft's screen, and returns the draft that this browser has left there.
    func enter(_ requestContext: RequestContext, _ screen: any DraftScreen) async throws -> Draft? {
        try await requestContext.store.perform { turn in
            do {
                try screen.enter(at: requestContext.place(turn))
                if turn.context.hasChanges { try turn.context.save() }
            } catch {
                turn.context.rollback()
                throw error
            }
        }
        return requestContext.browser.flatMap {
            requestContext.store.drafts.find(Draft.Key(browser: $0, address: requestContext.address))
        }
    }

    /// Performs a draft's action; returns nil for actions that the screen itself performs.
    func edit(
        _ requestContext: RequestContext,
        _ screen: any DraftScreen,
        _ action: Action,
        _ oversizedFile: String?,
        wantsJSON: Bool
    )
        async throws -> Result?
    {
        let draft: Draft
        switch action.name {
        case "change", "undo", "redo": draft = try await requestContext.store.draft(for: requestContext, screen)
        case "save": return try await save(requestContext, screen, action, oversizedFile, wantsJSON: wantsJSON)
        default: return nil
        }
        do {
            return .form(
                json: try await requestContext.store.perform(in: draft) { turn in
                    try Self.check(oversizedFile)
                    switch action.name {
                    case "change": try draft.change(try action.text("field"), action, turn)
                    case "undo": draft.step(isRedo: false)
                    default: draft.step(isRedo: true)
                    }
                    turn.context.processPendingChanges()
                    return try Self.formJSON(requestContext, turn, state: draft.state(turn, for: requestContext.reader))
                }
            )
        } catch ScreenError.notFound {
            requestContext.store.drafts.remove(draft)
            throw ScreenError.notFound
        }
    }

    private func save(
        _ requestContext: RequestContext,
        _ screen: any DraftScreen,
        _ action: Action,
        _ oversizedFile: String?,
        wantsJSON: Bool
    ) async throws -> Result {
        let draft = try await requestContext.store.draft(for: requestContext, screen)
        let result: Result
        do {
            result = try await requestContext.store.perform(in: draft) { turn in
                var action = action
                do {
                    try Self.check(oversizedFile)
                    // A page that was left without a link sends no fields: the draft has them.
                    if FormState(sent: action.fields).opened.isEmpty {
                        let fields = try draft.sent(turn)
                        action.fields.merge(fields) { sent, _ in sent }
                    }
                    // A draft has received its pictures already.
                    try draft.addPictures(to: &action, turn)
                    if let undecided = try Self.merge(&action, requestContext, turn.shared) {
                        return try self.undecided(undecided, action, requestContext, turn.shared, wantsHTML: !wantsJSON)
                    }
                    let page = try screen.page(at: requestContext.place(turn))
                    try draft.save(action, turn)
                    return .go(requestContext.back(page).address)
                } catch {
                    return try self.refused(error, action, requestContext, turn.shared, wantsHTML: !wantsJSON)
                }
            }
        } catch ScreenError.notFound {
            requestContext.store.drafts.remove(draft)
            return deleted(action, requestContext)
        }
        // Without scripts the next page contains the input.
        if case .go = result {
            requestContext.store.drafts.remove(draft)
        } else if !wantsJSON {
            requestContext.store.drafts.remove(draft)
        }
        return result
    }

    /// Returns a form's current state as JSON, for its own browser: `-form`.
    func form(_ requestContext: RequestContext) async throws -> String {
        if requestContext.screen is any DraftScreen, let browser = requestContext.browser,
            let draft = requestContext.store.drafts.find(Draft.Key(browser: browser, address: requestContext.address))
        {
            return try await requestContext.store.perform(in: draft) { turn in
                try Self.formJSON(requestContext, turn, state: draft.state(turn, for: requestContext.reader))
            }
        }
        return try await requestContext.store.perform { try Self.formJSON(requestContext, $0, state: FormState()) }
    }

    /// Returns the live form, which reports the saves and deletions of others.
    static func live(_ form: Form, _ requestContext: RequestContext, _ turn: ApplicationStore.Turn) throws -> LiveForm {
        let place = requestContext.place(turn.shared)
        let live = try turn.tables.form(at: requestContext.address, description: form) {
            guard case .form(let form) = try requestContext.screen.page(at: place).content else {
                throw ScreenError.notFound
            }
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

    private static func formJSON(_ requestContext: RequestContext, _ turn: ApplicationStore.Turn, state: FormState)
        throws -> String
    {
        guard case .form(let form) = try requestContext.screen.page(at: requestContext.place(turn)).content else {
            throw ScreenError.notFound
        }
        var state = state
        state.live = liveState(try live(form, requestContext, turn), form)
        return state.json(form, requestContext.reader)
    }
}
