// The context of a request below /studio/api. SourceMiddleware sets the source.
import Foundation
import Hummingbird
import Logging

struct StudioRequestContext: RequestContext {
    struct Source: RequestContextSource {
        let logger: Logger
    }

    var coreContext: CoreRequestContextStorage
    fileprivate(set) var source: StudioSource

    /// Binary values of objects are sent in requests.
    var maxUploadSize: Int { 64 << 20 }

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        self.source = StudioSource(title: "", kind: .model(URL(fileURLWithPath: "/")))
    }
}

/// Finds the source that an address names.
struct SourceMiddleware: RouterMiddleware {
    let sources: StudioSources
    let section: String
    let suits: @Sendable (StudioSource) -> Bool

    func handle(
        _ request: Request,
        context: StudioRequestContext,
        next: (Request, StudioRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let source = context.parameters.get("source").flatMap({ sources.source($0) }), suits(source) else {
            throw StudioError(
                "The studio has no such source for the section \(section).",
                remedy: "Choose a source in the bar.",
                status: .notFound
            )
        }
        var context = context
        context.source = source
        return try await next(request, context)
    }
}
