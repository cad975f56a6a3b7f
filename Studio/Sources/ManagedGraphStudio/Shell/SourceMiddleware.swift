// Sets the source of requests below /studio/api. Used by the studio's router.
import Foundation
import Hummingbird

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
