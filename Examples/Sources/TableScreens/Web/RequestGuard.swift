// Refuses requests that another site makes a browser send. Called by ScreenResponder before anything else. Programs
// other than browsers send neither Origin nor Sec-Fetch-Site; other sites cannot misuse them, so they are admitted.
import HTTPTypes

enum RequestGuard {
    private static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")

    /// Returns the reason for refusing a request, or nil.
    static func refusal(_ request: HTTPRequest) -> String? {
        let host = request.authority ?? ""
        guard isLoopback(host) else {
            // Another name that resolves to this machine indicates DNS rebinding.
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
