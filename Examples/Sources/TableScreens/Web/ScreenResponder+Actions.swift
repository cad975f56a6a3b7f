// The answers that change something. A failed action is rolled back and answered with an alert: for scripts as JSON, for
// others as the same screen with the alert over it and what was typed still there.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird

extension ScreenResponder {
    /// What an action came to, as values.
    private enum Result: Sendable {
        case go(String)
        case ask(html: String)
        case refused(Alert, html: String, status: HTTPResponse.Status)
        case undecided(json: String, html: String)
    }

    func act(_ hit: Hit, _ request: Request, wantsJSON: Bool) async throws -> Response {
        let fields: [String: String]
        switch await Self.fields(of: request) {
        case .success(let read): fields = read
        case .failure(let problem):
            let title = problem == .tooLarge ? "Too Large" : "Not Understood"
            let text =
                problem == .tooLarge
                ? "The form holds more than \(Self.bodyLimit / 1024) KB. Nothing was changed."
                : "The form is not in a form that this server reads. Nothing was changed."
            let status: HTTPResponse.Status = problem == .tooLarge ? .contentTooLarge : .badRequest
            if wantsJSON { return .json(Self.alertJSON(Alert(title: title, message: text)), status: status) }
            let back = Link("Back", to: hit.address)
            return .html(pages.message(title: title, text: text, back: back, reader: hit.reader), status: status)
        }
        let pages = self.pages
        let zone = fields["zone"].flatMap { $0.count <= 60 ? TimeZone(identifier: $0) : nil }
        let action = Action(fields: fields, timeZone: zone ?? hit.reader.timeZone, locale: hit.reader.locale)
        let result = try await hit.store.perform { try Self.perform(action, hit, $0, pages, wantsHTML: !wantsJSON) }
        switch result {
        case .go(let address):
            return wantsJSON
                ? .json(JSONValue.object([("go", .string(address))]).text) : .redirect(to: address)
        case .ask(let html):
            return .html(html)
        case .refused(let alert, let html, let status):
            return wantsJSON ? .json(Self.alertJSON(alert), status: status) : .html(html, status: status)
        case .undecided(let json, let html):
            return wantsJSON ? .json(json, status: .conflict) : .html(html, status: .conflict)
        }
    }

    private static func perform(
        _ action: Action,
        _ hit: Hit,
        _ turn: ApplicationStore.Turn,
        _ pages: PageRenderer,
        wantsHTML: Bool
    ) throws -> Result {
        var action = action
        do {
            // With scripts the browser has asked already.
            if wantsHTML, action.fields["confirmed"] == nil,
                let asked = try hit.screen.page(at: hit.place(turn)).buttons.lazy.compactMap(\.asked)
                    .first(where: { $0.action == action.name })
            {
                return .ask(html: pages.question(asked.question, action: action.name, at: hit))
            }
            if let undecided = try merge(&action, hit, turn) {
                guard wantsHTML else { return .undecided(json: undecided.json, html: "") }
                var page = undecided.page
                page.alert = conflictAlert
                return .undecided(json: "", html: try html(page, hit, turn, pages, state: undecided.state))
            }
            let outcome = try hit.screen.perform(action, at: hit.place(turn))
            guard !turn.context.hasChanges else {
                // A screen that forgets to save must not leave its changes to the next request.
                try turn.context.save()
                return .go(address(outcome, hit))
            }
            return .go(address(outcome, hit))
        } catch ScreenError.notFound {
            turn.context.rollback()
            guard !FormState(sent: action.fields).opened.isEmpty else { throw ScreenError.notFound }
            let entered = entered(action)
            let message = pages.message(
                title: deletedAlert.title,
                text: "Somebody has deleted this item since you opened it, so it cannot be saved."
                    + (entered.isEmpty ? "" : " This is what you entered:"),
                details: entered,
                back: Link(hit.store.application.title, to: Address(path: [hit.store.application.name]).text),
                reader: hit.reader
            )
            return .refused(deletedAlert, html: message, status: .notFound)
        } catch {
            turn.context.rollback()
            let alert = alert(for: error, hit.store.application)
            let status: HTTPResponse.Status = error is ScreenError ? .badRequest : .unprocessableContent
            guard wantsHTML else { return .refused(alert, html: "", status: status) }
            var page = try hit.screen.page(at: hit.place(turn))
            page.alert = alert
            return .refused(
                alert,
                html: try html(page, hit, turn, pages, state: FormState(sent: action.fields)),
                status: status
            )
        }
    }

    private static func address(_ outcome: Outcome, _ hit: Hit) -> String {
        switch outcome {
        case .stay: hit.address
        case .open(let address): address
        }
    }

    /// The error's own words: `ErrorString` where the application's rules gave one, else its description; each part of a
    /// collection of errors.
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

    private enum BodyProblem: Error { case tooLarge, unreadable }

    private static func fields(of request: Request) async -> Swift.Result<[String: String], BodyProblem> {
        let type = request.headers[.contentType] ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return .failure(.unreadable) }
        var bytes = ByteBuffer()
        do {
            for try await part in request.body {
                // What comes after the limit is read and thrown away, so that the browser gets to see the answer.
                guard bytes.readableBytes <= bodyLimit else { continue }
                bytes.writeImmutableBuffer(part)
            }
        } catch {
            return .failure(.unreadable)
        }
        guard bytes.readableBytes <= bodyLimit else { return .failure(.tooLarge) }
        return .success(Dictionary(Address.fields(String(buffer: bytes)), uniquingKeysWith: { $1 }))
    }
}
