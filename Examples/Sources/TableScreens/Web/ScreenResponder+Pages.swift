// The responses to requests that only read: pages, windows of rows and event streams.
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// Returns a screen's page.
    func page(_ requestContext: RequestContext) async throws -> Response {
        let pages = self.pages
        guard let screen = requestContext.screen as? any DraftScreen else {
            return .html(
                try await requestContext.store.perform { turn in
                    try Self.html(
                        requestContext.screen.page(at: requestContext.place(turn)),
                        requestContext,
                        turn,
                        pages
                    )
                }
            )
        }
        let html: String
        if let draft = try await enter(requestContext, screen) {
            html = try await requestContext.store.perform(in: draft) { turn in
                let state = try draft.state(turn, for: requestContext.reader)
                return try Self.html(
                    requestContext.screen.page(at: requestContext.place(turn)),
                    requestContext,
                    turn,
                    pages,
                    state: state
                )
            }
        } else {
            html = try await requestContext.store.perform { turn in
                try Self.html(requestContext.screen.page(at: requestContext.place(turn)), requestContext, turn, pages)
            }
        }
        var response = Response.html(html)
        if requestContext.browser == nil {
            // Identifies this browser's drafts after a reload; it has no other meaning and grants no other access.
            let name = UUID().uuidString
            response.headers[.setCookie] = "browser=\(name); Path=/; HttpOnly; SameSite=Strict"
        }
        return response
    }

    /// Renders a page on the context's queue; `state` is that of a rejected form.
    static func html(
        _ page: Page,
        _ requestContext: RequestContext,
        _ turn: ApplicationStore.Turn,
        _ pages: PageRenderer,
        state: FormState = FormState()
    ) throws -> String {
        switch page.content {
        case .table(let table):
            let live = try turn.tables.table(at: requestContext.address, description: table)
            let start = Int(requestContext.query["-from"] ?? "") ?? 0
            let window = try live.window(from: start, count: windowSize, reader: requestContext.reader)
            return pages.html(page, table: table, window: window, at: requestContext)
        case .form(let form):
            var state = state
            state.live = liveState(try live(form, requestContext, turn), form)
            if requestContext.screen is any DraftScreen, state.draft == nil { state.draft = (false, false) }
            return pages.html(page, form: form, state: state, at: requestContext)
        }
    }

    /// Returns rows by position (`-rows=first,count`), a form's current state (`-form`), or else the page's alert.
    func data(_ requestContext: RequestContext) async throws -> Response {
        if requestContext.query["-form"] != nil { return .json(try await form(requestContext)) }
        let numbers = requestContext.query["-rows"]?.split(separator: ",").compactMap { Int($0) }
        let json = try await requestContext.store.perform { turn -> String? in
            let page = try requestContext.screen.page(at: requestContext.place(turn))
            guard let numbers else { return page.alert.map(Self.alertJSON) ?? "{}" }
            guard case .table(let table) = page.content, numbers.count == 2, numbers[0] >= 0,
                (1...Self.windowLimit).contains(numbers[1])
            else { return nil }
            let live = try turn.tables.table(at: requestContext.address, description: table)
            return try live.window(from: numbers[0], count: numbers[1], reader: requestContext.reader).json(
                withRows: true
            )
        }
        guard let json else {
            let alert = Alert(
                title: "Bad Request",
                message: "Ask for rows as first,count with count up to \(Self.windowLimit)."
            )
            return .json(Self.alertJSON(alert), status: .badRequest)
        }
        return .json(json)
    }

    /// Returns the event stream of a screen's table or form.
    func events(_ requestContext: RequestContext, _ request: Request) async throws -> Response {
        let lastID = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        let since = lastID ?? requestContext.query["-since"] ?? ""
        let source = try await eventSource(requestContext)
        return EventStream.response(
            to: request,
            from: source.broadcaster,
            since: since,
            job: source.job,
            draft: source.draft
        )
    }

    /// Returns the event stream of a whole browser: `-events?at=address&since=version&at=…`.
    func sharedEvents(_ target: Address, _ request: Request, _ reader: Reader) async throws -> Response {
        var channels: [SharedEventStream.Channel] = []
        for (name, value) in target.query where value.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
            if name == "at", channels.count < SharedEventStream.channelLimit {
                channels.append(SharedEventStream.Channel(address: value, since: ""))
            } else if name == "since", let last = channels.popLast() {
                channels.append(SharedEventStream.Channel(address: last.address, since: value))
            }
        }
        for index in channels.indices {
            guard let requestContext = requestContext(Address(target: channels[index].address), request, reader) else {
                continue
            }
            channels[index].source = try? await eventSource(requestContext)
        }
        return SharedEventStream.response(to: request, channels: channels)
    }

    /// Returns the events of a screen's table or form.
    ///
    /// - Throws: `ScreenError.notFound` if its object does not exist.
    private func eventSource(_ requestContext: RequestContext) async throws -> SharedEventStream.Channel.Source {
        let broadcaster = try await requestContext.store.perform { turn in
            switch try requestContext.screen.page(at: requestContext.place(turn)).content {
            case .table(let table): try turn.tables.table(at: requestContext.address, description: table).broadcaster
            case .form(let form): try Self.live(form, requestContext, turn).broadcaster
            }
        }
        let job = requestContext.store.jobs.state?.json ?? "{}"
        guard let screen = requestContext.screen as? any DraftScreen, requestContext.browser != nil else {
            return SharedEventStream.Channel.Source(broadcaster: broadcaster, draft: nil, job: job)
        }
        // If too many drafts are open, the form still works as it does without scripts.
        let draft = try? await requestContext.store.draft(for: requestContext, screen)
        return SharedEventStream.Channel.Source(broadcaster: broadcaster, draft: draft, job: job)
    }
}
