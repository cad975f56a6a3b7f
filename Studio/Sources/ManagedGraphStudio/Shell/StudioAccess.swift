// The check of requests: they come from the studio's own pages, in a browser that was opened with the address that has the key.
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

struct StudioAccess: Sendable {
    static let keyName = "key"

    enum Decision {
        case admitted
        /// The response sets the cookie, and redirects to an address without the key.
        case enters(address: String, cookie: String)
        case refused(Cause, String, remedy: String)
    }

    /// The check that a request fails.
    enum Cause {
        case origin, key
    }

    let key: String
    var guardian = RequestGuard()

    static func makeKey() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(random.next(), radix: 36) }.joined()
    }

    func decide(_ request: Request) -> Decision {
        if let refusal = guardian.refusal(request.head) {
            return .refused(.origin, refusal, remedy: "Open the address that the studio printed when it started.")
        }
        let cookie = Self.cookieName(request)
        if request.method == .get, let candidate = request.uri.queryParameters.get(Self.keyName), isKey(candidate) {
            return .enters(
                address: Self.withoutKey(request),
                cookie: "\(cookie)=\(key); Path=/studio; HttpOnly; SameSite=Strict"
            )
        }
        guard let candidate = request.cookie(cookie), isKey(candidate) else {
            return .refused(
                .key,
                "The studio was not opened with its key.",
                remedy: "Open the address that the studio printed when it started: it ends with the key."
            )
        }
        return .admitted
    }

    /// Compares in constant time.
    private func isKey(_ candidate: String) -> Bool {
        let candidateBytes = Array(candidate.utf8), keyBytes = Array(key.utf8)
        guard candidateBytes.count == keyBytes.count else { return false }
        return zip(candidateBytes, keyBytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Cookies do not distinguish ports, and several studios may run on one machine.
    private static func cookieName(_ request: Request) -> String {
        let port = (request.head.authority ?? "").split(separator: ":").last.map(String.init) ?? ""
        return "studio-" + port.filter(\.isNumber)
    }

    private static func withoutKey(_ request: Request) -> String {
        let query = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix(keyName + "=") }
        let path = "/" + request.uri.path.drop { $0 == "/" }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}
