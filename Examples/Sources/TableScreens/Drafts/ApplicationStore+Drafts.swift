// Work on drafts. It enters the draft's queue first and the application's queue within it, always in this order,
// because a child context enters its parent's queue and never the reverse.
import CoreData
import Foundation

extension ApplicationStore {
    /// Runs work on a draft, and then sends the row changes to the browsers.
    func perform<T: Sendable>(in draft: Draft, _ work: @escaping @Sendable (Turn) throws -> T) async throws -> T {
        try await draft.context.perform { [self] in
            try nested(in: draft.context, work)
        }
    }

    /// Returns this browser's draft of the form, created if there is none.
    ///
    /// - Throws: `ScreenError.badInput` if too many drafts are open.
    func draft(for requestContext: RequestContext, _ screen: any DraftScreen) async throws -> Draft {
        let key = Draft.Key(browser: requestContext.browser ?? UUID().uuidString, address: requestContext.address)
        if let draft = drafts.find(key) { return draft }
        if drafts.isFull, let oldest = drafts.forgotten.first?.draft { await saveForgotten(oldest, isLast: true) }
        let draft = makeDraft(key, screen, requestContext)
        guard let openDraft = drafts.add(draft) else {
            throw ScreenError.badInput("Too many forms are open. Close some, and try again.")
        }
        try await perform(in: openDraft) { try openDraft.follow($0, for: requestContext.reader) }
        return openDraft
    }

    /// Saves drafts that have had no browser for a while.
    ///
    /// Called periodically.
    func tendDrafts() async {
        for (draft, since) in drafts.forgotten where since > Drafts.grace {
            await saveForgotten(draft, isLast: since > Drafts.keep)
        }
    }

    /// Saves all drafts, and drops drafts that cannot be saved.
    ///
    /// Called on shutdown.
    func closeDrafts() async {
        for draft in drafts.all { await saveForgotten(draft, isLast: true) }
    }

    /// There is no reader to ask: on a conflict, the value that is already saved wins.
    private func saveForgotten(_ draft: Draft, isLast: Bool) async {
        do {
            let conflicts = try await perform(in: draft) { turn -> [String] in
                let requestContext = draft.requestContext
                var fields = try draft.sent(turn)
                let reader = requestContext.reader
                guard case .form(let saved) = try draft.screen.page(at: requestContext.place(turn.shared)).content
                else {
                    return []
                }
                let merge = FormMerge(
                    saved.fields.map(\.name),
                    opened: FormState(sent: fields).opened,
                    mine: FormState(sent: fields).typed,
                    now: saved.values(for: reader)
                )
                fields = merge.values
                for conflict in merge.conflicts { fields[conflict.name] = conflict.theirs }
                try draft.save(Action(fields: fields, for: reader), turn)
                return merge.conflicts.map(\.name)
            }
            drafts.remove(draft)
            if !conflicts.isEmpty {
                logger.warning("A form left open at \(draft.key.address): others have saved \(conflicts), which stays.")
            }
        } catch ScreenError.notFound {
            drafts.remove(draft)
        } catch  where isLast {
            drafts.remove(draft)
            logger.warning("A form left open at \(draft.key.address) could not be saved, and is dropped: \(error)")
        } catch {}
    }
}
