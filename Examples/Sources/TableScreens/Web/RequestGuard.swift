// Refuses what another site makes a browser send. Called by ScreenResponder before anything else.
// A program that is no browser sends neither Origin nor Sec-Fetch-Site; it cannot be tricked, and is let through.
import HTTPTypes

enum RequestGuard {
    private static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")

    /// Why a request is refused, or nil.
    static func refusal(_ request: HTTPRequest) -> String? {
        let host = request.authority ?? ""
        guard isLoopback(host) else {
            // A foreign name that resolves to this machine is DNS rebinding.
            return "This server answers only under 127.0.0.1 or localhost."
        }
        guard request.method != .get, request.method != .head else { return nil }
        if let name = secFetchSite, let site = request.headerFields[name], site != "same-origin", site != "none" {
            return "The request comes from another site, so nothing was changed."
        }
        if let origin = request.headerFields[.origin], origin != "http://\(host)" {
            return "The request comes from another origin, so nothing was changed."
        }
        return nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name =
            host.hasPrefix("[")
            ? host.prefix(while: { $0 != "]" }).dropFirst()
            : host.prefix(while: { $0 != ":" })
        return ["127.0.0.1", "localhost", "::1"].contains(name.lowercased())
    }
}
