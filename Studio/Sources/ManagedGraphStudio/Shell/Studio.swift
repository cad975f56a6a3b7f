// The studio: its sources, and the responses to all requests below /studio. Created by the command, by programs that embed
// it, and by the server of the sample applications.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import WebSupport

/// A modeller and a browser of data in web pages, for files and for running containers.
public struct Studio: Sendable {
    /// The sources, with the names under which addresses refer to them.
    public var sources: [StudioSource] { list.all }
    private let list: StudioSources
    private let sections: [any StudioSection]
    private let pages: StudioPages
    private let access: StudioAccess
    private let responder: any HTTPResponder<StudioRequestContext>

    /// Creates a studio; nothing is opened before a page asks for it.
    ///
    /// - Parameters:
    ///   - sources: Files and containers.
    ///   - home: A page of the embedding program that the bar links to.
    ///   - host: The name or address under which the studio is reached, if not the loopback interface. `0.0.0.0` and `::`
    ///     admit every name.
    ///   - opening: Lets the first page open further files and databases, with the rights of this process; nil does not.
    /// - Throws: An error if the studio's own files cannot be read.
    public init(
        _ sources: [StudioSource],
        home: StudioHome? = nil,
        host: String = "127.0.0.1",
        opening: StudioOpening? = nil
    ) throws {
        let sources = StudioSources(sources, opening: opening)
        list = sources
        sections = Self.makeSections(sources)
        pages = try StudioPages(sources, sections: sections, home: home)
        let hosts = ["0.0.0.0", "::"].contains(host) ? nil : Set([host.lowercased()])
        access = StudioAccess(key: StudioAccess.makeKey(), guardian: RequestGuard(hosts: hosts))
        let router = Router(context: StudioRequestContext.self)
        router.add(middleware: ErrorMiddleware())
        OpenRoute.add(to: router, sources)
        let about = router.group("/studio/api/:source")
            .add(middleware: SourceMiddleware(sources: sources, section: "about", suits: { _ in true }))
        AboutRoute.add(to: about)
        for section in sections {
            let group = router.group(RouterPath("/studio/api/:source/\(section.name)"))
                .add(middleware: SourceMiddleware(sources: sources, section: section.title, suits: section.suits))
            section.addRoutes(to: group)
        }
        responder = router.buildResponder()
    }

    /// Creates a studio for running containers.
    ///
    /// - Parameters:
    ///   - containers: The containers; their stores may be added later.
    ///   - home: A page of the embedding program that the bar links to.
    /// - Throws: An error if the studio's own files cannot be read.
    public init(_ containers: [NSPersistentContainer], home: StudioHome? = nil) throws {
        try self.init(containers.map { StudioSource($0) }, home: home)
    }

    /// Returns an address with the key, which admits a browser to the studio.
    ///
    /// - Parameters:
    ///   - source: The name of a source in addresses; the list of sources if nil.
    ///   - section: The name of a section, such as `model`, `data` or `live`.
    /// - Returns: The address, without host and port.
    public func address(of source: String? = nil, section: String? = nil) -> String {
        let path = ["studio", source, section].compactMap { $0 }.joined(separator: "/")
        return "/\(path)?\(StudioAccess.keyName)=\(access.key)"
    }

    /// Returns the names of the sections that show a source.
    ///
    /// - Parameter source: The name of a source in addresses.
    /// - Returns: The names, in the order of the tabs; empty if there is no such source.
    public func sections(of source: String) -> [String] {
        guard let source = list.source(source) else { return [] }
        return sections.filter { $0.suits(source) }.map(\.name)
    }

    /// Answers requests below `/studio` of a router.
    ///
    /// - Parameter router: The router of the embedding program.
    public func mount<Context: RequestContext>(on router: some RouterMethods<Context>) {
        for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete] {
            for path in ["/studio", "/studio/**"] as [RouterPath] {
                router.on(path, method: method) { request, context in
                    await respond(to: request, logger: context.logger)
                }
            }
        }
    }

    /// Serves the studio alone until the process receives SIGINT or SIGTERM.
    ///
    /// - Parameters:
    ///   - host: The address of the interface.
    ///   - port: The port; 0 for any that is free.
    ///   - logger: Receives the server's messages.
    ///   - ready: Called with the port when the server accepts requests.
    /// - Throws: An error if the port is not available.
    public func serve(
        host: String = "127.0.0.1",
        port: Int,
        logger: Logger = Logger(label: "ManagedGraphStudio"),
        ready: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        let router = Router()
        mount(on: router)
        router.get("/") { request, _ in
            Response.redirect(to: "/studio" + (request.uri.query.map { "?\($0)" } ?? ""))
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname(host, port: port)),
            services: [Closing(studio: self)],
            onServerRunning: { ready($0.localAddress?.port ?? port) },
            logger: logger
        )
        try await application.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    }

    /// Ends event streams and running work; for programs that serve the studio themselves and stop their server.
    public func close() {
        for section in sections { section.close() }
    }

    /// Answers one request.
    ///
    /// - Parameters:
    ///   - request: A request whose path begins with `/studio`.
    ///   - logger: Receives messages about the request.
    /// - Returns: The response.
    public func respond(to request: Request, logger: Logger) async -> Response {
        let path = request.uri.path.split(separator: "/").dropFirst().map { String($0).removingPercentEncoding ?? "" }
        let isAPI = path.first == "api"
        switch access.decide(request) {
        case .admitted: break
        case .enters(let address, let cookie):
            var response = Response.redirect(to: address)
            response.headers[.setCookie] = cookie
            return response
        case .refused(.key, _, _) where path.first == "assets":
            // The page that refuses needs its style sheet.
            break
        case .refused(_, let reason, let remedy):
            if isAPI { return StudioError(reason, remedy: remedy, status: .forbidden).response }
            return pages.message("Refused", reason, remedy: remedy, status: .forbidden)
        }
        if isAPI {
            let context = StudioRequestContext(source: .init(logger: logger))
            do {
                return try await responder.respond(to: request, context: context)
            } catch {
                return StudioError(error).response
            }
        }
        guard request.method == .get || request.method == .head else {
            return StudioError("This address takes only GET.", status: .methodNotAllowed).response
        }
        if path.first == "assets" {
            // A page of an earlier process asks for that one's version, and receives the file of this one.
            let name = path.dropFirst(2).joined(separator: "/")
            let isCurrent = path.count > 1 && path[1] == pages.assets.version
            return pages.assets.response(name, isVersioned: isCurrent, to: request)
                ?? StudioError("There is no file \(name).", status: .notFound).response
        }
        return pages.response(path: path)
    }

    /// Ends the event streams with the server.
    private struct Closing: Service {
        let studio: Studio

        func run() async throws {
            await withGracefulShutdownHandler {
                try? await gracefulShutdown()
            } onGracefulShutdown: {
                studio.close()
            }
        }
    }
}
