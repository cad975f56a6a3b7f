// Responds to every request: checks it, finds the application and the screen, and dispatches to the responses for
// pages, rows, events and actions. Created by ScreenServer.
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import WebSupport

struct ScreenResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    /// The address of the event stream that all tabs of a browser share.
    static let eventsPath = "-events"
    /// The number of rows in a new page.
    static let windowSize = 80
    /// The maximum number of rows per request.
    static let windowLimit = 400

    /// An application with an open store, or the reason why its store is not open.
    enum Slot: Sendable {
        case open(ApplicationStore)
        case failed(TableApplication, title: String, text: String, details: [String])

        var application: TableApplication {
            switch self {
            case .open(let store): store.application
            case .failed(let application, _, _, _): application
            }
        }
    }

    let slots: [Slot]
    let pages: PageRenderer
    let logger: Logger
    /// The pictures of the applications' models, by name.
    let diagrams: [String: String]
    let kept = KeptFiles()
    let reports = ExperimentReports()
    private let routers: [String: Router]

    init(slots: [Slot], pages: PageRenderer, diagrams: [String: String], logger: Logger) {
        self.diagrams = diagrams
        self.slots = slots
        self.logger = logger
        self.pages = pages
        var routers: [String: Router] = [:]
        for slot in slots { routers[slot.application.name] = Router(slot.application.screens) }
        self.routers = routers
    }

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let cookie = request.cookie("zone")
        let reader = Reader(acceptLanguage: request.headers[.acceptLanguage], zone: cookie)
        if let refusal = RequestGuard().refusal(request.head) {
            let page = pages.message(
                title: "Refused",
                text: refusal,
                back: Link("Applications", to: "/"),
                reader: reader
            )
            return .html(page, status: .forbidden)
        }
        let target = Address(target: request.head.path ?? "/")
        if let guest = pages.guest, target.path.first == guest.path {
            return await guest.respond(request, context.logger)
        }
        switch (request.method, target.path.first) {
        case (.get, nil), (.head, nil), (.post, nil):
            return try await home(request, target, reader)
        case (.get, Self.alivePath):
            return .json("{}")
        case (.get, Self.breakPath), (.head, Self.breakPath), (.post, Self.breakPath):
            return try await experiments(request, target, reader)
        case (.get, "assets"), (.head, "assets"):
            return asset(target, request) ?? notFound(reader)
        case (.get, Self.eventsPath):
            return try await sharedEvents(target, request, reader)
        case (.get, let name?), (.head, let name?), (.post, let name?):
            return try await respond(to: request, application: name, target: target, reader: reader)
        default:
            let page = pages.message(
                title: "Not Allowed",
                text: "This address takes only GET and POST.",
                back: Link("Applications", to: "/"),
                reader: reader
            )
            var response = Response.html(page, status: .methodNotAllowed)
            response.headers[.allow] = "GET, HEAD, POST"
            return response
        }
    }

    private func respond(to request: Request, application: String, target: Address, reader: Reader) async throws
        -> Response
    {
        guard let slot = slots.first(where: { $0.application.name == application }) else { return notFound(reader) }
        guard case .open(let store) = slot else { return unavailable(slot, reader) }
        let path = Array(target.path.dropFirst())
        if path == [Self.jobPath], request.method == .post { return await job(store, request) }
        if path == [Self.newObjectPath], request.method == .post { return try await leaveNewObject(store, request) }
        if path == [Self.undoPath], request.method == .post { return try await undoDeletion(store, request, reader) }
        if let answer = try await activity(store, request, target) { return answer }
        guard let requestContext = requestContext(target, request, reader) else { return notFound(reader) }
        let query = requestContext.query
        let accept = request.headers[.accept] ?? ""
        do {
            if request.method == .post {
                return try await act(requestContext, request, wantsJSON: accept.contains("application/json"))
            }
            if query[Self.pictureKey] != nil || query[Self.keptKey] != nil {
                return try await picture(requestContext, request)
            }
            if accept.contains("text/event-stream") {
                return try await events(requestContext, request)
            }
            if accept.contains("application/json") {
                return try await data(requestContext)
            }
            // Observe from here on, so that the panel shows the page's own statements.
            if requestContext.isHoodOpen { store.activity.touch() }
            return try await page(requestContext)
        } catch ScreenError.notFound {
            return accept.contains("application/json")
                ? .json(Self.json(.notFound), status: .notFound) : notFound(reader)
        } catch {
            return failed(error, application: store.application, wantsJSON: accept.contains("application/json"), reader)
        }
    }

    /// Returns the screen at an address; nil if there is none, or if its application's store is not open.
    func requestContext(_ target: Address, _ request: Request, _ reader: Reader) -> RequestContext? {
        guard let name = target.path.first, let router = routers[name],
            case .open(let store)? = slots.first(where: { $0.application.name == name })
        else { return nil }
        let path = Array(target.path.dropFirst())
        guard let (screen, parameters) = router.find(path) else { return nil }
        return RequestContext(
            store: store,
            screen: screen,
            path: path,
            parameters: parameters,
            query: Dictionary(target.query, uniquingKeysWith: { $1 }),
            reader: reader,
            browser: Self.browser(of: request),
            isHoodOpen: request.cookie(Self.hoodCookie) == "open",
            isFramed: HTTPField.Name("Sec-Fetch-Dest").flatMap { request.headers[$0] } == "iframe"
        )
    }

    // MARK: Pages outside of screens

    private func asset(_ target: Address, _ request: Request) -> Response? {
        guard target.path.count == 2 else { return nil }
        return pages.assets.response(target.path[1], to: request)
    }

    func notFound(_ reader: Reader) -> Response {
        let page = pages.message(
            title: "Not Found",
            text: "There is nothing at this address. It may have been deleted.",
            back: Link("Applications", to: "/"),
            reader: reader
        )
        return .html(page, status: .notFound)
    }

    /// Responds to an error of the store during a read.
    private func failed(_ error: any Error, application: TableApplication, wantsJSON: Bool, _ reader: Reader)
        -> Response
    {
        logger.error("\(application.title): \(error)")
        let alert = Self.alert(for: error, application)
        if wantsJSON { return .json(Self.alertJSON(alert), status: .internalServerError) }
        let page = pages.message(
            title: "Cannot Read",
            text: alert.message,
            details: alert.items,
            back: Link("Applications", to: "/"),
            reader: reader
        )
        return .html(page, status: .internalServerError)
    }

    private func unavailable(_ slot: Slot, _ reader: Reader) -> Response {
        guard case .failed(_, let title, let text, let details) = slot else { return notFound(reader) }
        let back = Link("Applications", to: "/")
        let page = pages.message(title: title, text: text, details: details, back: back, reader: reader)
        return .html(page, status: .serviceUnavailable)
    }

    static func json(_ error: ScreenError) -> String {
        alertJSON(Alert(title: "Not Found", message: error.errorDescription ?? ""))
    }

    static func alertJSON(_ alert: Alert) -> String {
        JSONValue.object([
            (
                "alert",
                .object([
                    ("title", .string(alert.title)), ("message", .string(alert.message)),
                    ("items", .array(alert.items.map { .string($0) })),
                ])
            )
        ]).text
    }

    static func browser(of request: Request) -> String? {
        request.cookie("browser").flatMap { $0.count <= 60 ? $0 : nil }
    }
}
