// The responses to requests that change data. A failed action is rolled back and answered with an alert: as JSON for
// scripts, and otherwise as the same screen with the alert over it and the input kept.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The result of an action, as values.
    enum Result: Sendable {
        /// The next address, with values for the script.
        case go(String, [(String, JSONValue)] = [])
        /// The address after a deletion, which the token undoes.
        case deleted(String, [(String, JSONValue)], token: String)
        /// The state of a draft.
        case form(json: String)
        case ask(json: String, html: String)
        case refused(Alert, html: String, status: HTTPResponse.Status)
        case undecided(json: String, html: String)
    }

    func act(_ requestContext: RequestContext, _ request: Request, wantsJSON: Bool) async throws -> Response {
        let body: FormBody
        do {
            body = try await FormBody.read(request)
        } catch {
            return unread(error, requestContext, wantsJSON)
        }
        let zone = body.fields["zone"].flatMap { $0.count <= 60 ? TimeZone(identifier: $0) : nil }
        var action = Action(
            body,
            timeZone: zone ?? requestContext.reader.timeZone,
            locale: requestContext.reader.locale
        )
        takeKeptFiles(&action)
        let sent = action
        let result: Result
        if let screen = requestContext.screen as? any DraftScreen,
            let edited = try await edit(requestContext, screen, sent, body.oversizedFile, wantsJSON: wantsJSON)
        {
            result = edited
        } else {
            result = try await requestContext.store.perform { turn in
                try self.perform(sent, body.oversizedFile, requestContext, turn, wantsHTML: !wantsJSON)
            }
        }
        switch result {
        case .form(let json):
            return .json(json)
        case .go(let address, let more):
            return wantsJSON
                ? .json(JSONValue.object([("go", .string(address))] + more).text) : .redirect(to: address)
        case .deleted(let address, let more, let token):
            guard !wantsJSON else { return .json(JSONValue.object([("go", .string(address))] + more).text) }
            var next = Address(target: address)
            if !token.isEmpty { next.query.append((Self.undoKey, token)) }
            return .redirect(to: next.text)
        case .ask(let json, let html):
            return wantsJSON ? .json(json) : .html(html)
        case .refused(let alert, let html, let status):
            return wantsJSON ? .json(Self.alertJSON(alert), status: status) : .html(html, status: status)
        case .undecided(let json, let html):
            return wantsJSON ? .json(json, status: .conflict) : .html(html, status: .conflict)
        }
    }

    /// Responds to an unreadable form; none of its fields can be shown again.
    private func unread(_ problem: FormBody.Problem, _ requestContext: RequestContext, _ wantsJSON: Bool) -> Response {
        let isTooLarge = problem == .fieldsTooLarge
        let title = isTooLarge ? "Too Large" : "Not Understood"
        let message =
            isTooLarge
            ? "What you entered has more than \(FormBody.Limits.usual.fields / 1_048_576) MB. Nothing was changed."
            : "The form is not in a form that this server reads. Nothing was changed."
        let status: HTTPResponse.Status = isTooLarge ? .contentTooLarge : .badRequest
        if wantsJSON { return .json(Self.alertJSON(Alert(title: title, message: message)), status: status) }
        let back = Link("Back", to: requestContext.address)
        return .html(
            pages.message(title: title, text: message, back: back, reader: requestContext.reader),
            status: status
        )
    }

    private func perform(
        _ sent: Action,
        _ oversizedFile: String?,
        _ requestContext: RequestContext,
        _ turn: ApplicationStore.Turn,
        wantsHTML: Bool,
        attempts: Int = 3
    ) throws -> Result {
        var action = sent
        do {
            try Self.check(oversizedFile)
            let deletion = Self.deletion(action, requestContext, turn)
            if action.fields["confirmed"] == nil,
                let ask = try question(before: action, deletion?.question, requestContext, turn, wantsHTML: wantsHTML)
            {
                return ask
            }
            if let undecided = try Self.merge(&action, requestContext, turn) {
                return try self.undecided(undecided, action, requestContext, turn, wantsHTML: wantsHTML)
            }
            let outcome = try requestContext.screen.perform(action, at: requestContext.place(turn))
            // The changes of a screen that forgets to save must not leak into the next request.
            if turn.context.hasChanges { try turn.context.save() }
            if case .start(let job, _) = outcome { try requestContext.store.start(job) }
            if let deletion {
                let (more, token) = Self.finish(deletion, turn)
                return .deleted(Self.address(outcome, requestContext), more, token: token)
            }
            var more: [(String, JSONValue)] = []
            if case .openNew(let address, let objectID) = outcome {
                more.append(("new", .string(turn.newObjects.note(objectID, at: address, in: turn.context))))
            }
            return .go(Self.address(outcome, requestContext), more)
        } catch ScreenError.notFound {
            turn.context.rollback()
            guard !FormState(sent: sent.fields).opened.isEmpty else { throw ScreenError.notFound }
            return deleted(sent, requestContext)
        } catch let error as NSError
            where error.code == NSManagedObjectMergeError && attempts > 1 && turn.context === turn.parent
        {
            // A job or another process has saved since the rows were read, perhaps only members of an object that this
            // action relates, too. The next attempt finds the values that the reader has to choose from.
            turn.context.rollback()
            for conflict in error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? [] {
                turn.context.refresh(conflict.sourceObject, mergeChanges: false)
            }
            return try perform(
                sent,
                oversizedFile,
                requestContext,
                turn,
                wantsHTML: wantsHTML,
                attempts: attempts - 1
            )
        } catch {
            turn.context.rollback()
            return try refused(error, sent, requestContext, turn, wantsHTML: wantsHTML)
        }
    }

    /// The question that the reader has to answer before an action: its button's, or that of a deletion.
    private func question(
        before action: Action,
        _ deletionQuestion: Question?,
        _ requestContext: RequestContext,
        _ turn: ApplicationStore.Turn,
        wantsHTML: Bool
    ) throws -> Result? {
        // With scripts the browser has already asked that of a button.
        if wantsHTML {
            let buttons = try requestContext.screen.page(at: requestContext.place(turn)).buttons
            if let asked = buttons.lazy.compactMap(\.asked).first(where: { $0.action == action.name }) {
                return .ask(json: "", html: pages.question(asked.question, action: action, at: requestContext))
            }
        }
        guard let deletionQuestion else { return nil }
        return .ask(
            json: JSONValue.object([("ask", Self.json(deletionQuestion))]).text,
            html: pages.question(deletionQuestion, action: action, at: requestContext)
        )
    }

    // MARK: Rejected input

    /// Returns the same screen again, with both values of each conflict.
    func undecided(
        _ undecided: Undecided,
        _ action: Action,
        _ requestContext: RequestContext,
        _ turn: ApplicationStore.Turn,
        wantsHTML: Bool
    ) throws -> Result {
        guard wantsHTML else { return .undecided(json: undecided.json, html: "") }
        var page = undecided.page
        page.alert = Self.conflictAlert
        var state = undecided.state
        keepFiles(of: action, in: &state)
        return .undecided(json: "", html: try Self.html(page, requestContext, turn, pages, state: state))
    }

    /// Returns the entered values for a reader whose object another reader has deleted.
    func deleted(_ action: Action, _ requestContext: RequestContext) -> Result {
        let message = pages.deleted(entered: Self.entered(action), at: requestContext)
        return .refused(Self.deletedAlert, html: message, status: .notFound)
    }

    /// Returns the error's alert over the same screen, with the input kept.
    func refused(
        _ error: any Error,
        _ action: Action,
        _ requestContext: RequestContext,
        _ turn: ApplicationStore.Turn,
        wantsHTML: Bool
    )
        throws
        -> Result
    {
        if case ScreenError.notFound = error { throw error }
        let alert = Self.alert(for: error, requestContext.store.application)
        let status = Self.status(of: error)
        guard wantsHTML else { return .refused(alert, html: "", status: status) }
        let requestContext = requestContext.with(action.fields)
        var page = try requestContext.screen.page(at: requestContext.place(turn))
        page.alert = alert
        var state = FormState(sent: action.fields)
        // A file rejected because of its contents need not be kept.
        if !(error is ScreenError) || action.files.allSatisfy({ (try? Picture($0.value.data)) != nil }) {
            keepFiles(of: action, in: &state)
        }
        return .refused(alert, html: try Self.html(page, requestContext, turn, pages, state: state), status: status)
    }

    static func check(_ oversizedFile: String?) throws {
        guard let name = oversizedFile else { return }
        let limit = FormBody.Limits.usual.file / 1_048_576
        throw ScreenError.tooLarge("“\(name)” is larger than \(limit) MB. Choose a smaller file.")
    }

    private static func status(of error: any Error) -> HTTPResponse.Status {
        switch error {
        case ScreenError.tooLarge: .contentTooLarge
        case is ScreenError: .badRequest
        default: .unprocessableContent
        }
    }

    // MARK: Files of rejected forms

    /// Adds the files of an earlier, rejected form to the action.
    private func takeKeptFiles(_ action: inout Action) {
        for (key, token) in action.fields where key.hasPrefix(Field.keptPrefix) {
            let name = String(key.dropFirst(Field.keptPrefix.count))
            let isRemoved = action.fields[Field.removalPrefix + name] == "1"
            if action.files[name] == nil, !isRemoved { action.files[name] = kept.file(token) }
        }
    }

    private func keepFiles(of action: Action, in state: inout FormState) {
        for (name, file) in action.files { state.kept[name] = kept.keep(file) }
    }

    private static func address(_ outcome: Outcome, _ requestContext: RequestContext) -> String {
        switch outcome {
        case .stay: requestContext.address
        case .open(let address), .openNew(let address, _), .start(_, let address): address
        }
    }

    /// Returns the error's own text: `ErrorString` if a rule of the application set one, otherwise the description; for
    /// a collection of errors, the text of each.
    static func alert(for error: any Error, _ application: TableApplication) -> Alert {
        if let error = error as? ScreenError {
            return Alert(title: "Not Saved", message: error.errorDescription ?? "")
        }
        let error = error as NSError
        let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        let words = parts.map { $0.userInfo["ErrorString"] as? String ?? $0.localizedDescription }
        let title = parts.lazy.compactMap { application.alertTitle($0) }.first ?? "Cannot Save"
        return words.count == 1
            ? Alert(title: title, message: words[0]) : Alert(title: title, items: words)
    }
}
