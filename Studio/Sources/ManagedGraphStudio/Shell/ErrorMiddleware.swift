// Answers errors of the routes below /studio/api as JSON.
import HTTPTypes
import Hummingbird

/// Answers errors as JSON.
struct ErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: StudioRequestContext,
        next: (Request, StudioRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await next(request, context)
            if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
            response.headers[.xContentTypeOptions] = "nosniff"
            return response
        } catch {
            return StudioError(error).response
        }
    }
}
