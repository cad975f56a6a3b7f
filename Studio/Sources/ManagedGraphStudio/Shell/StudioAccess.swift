// The check of requests: they come from the studio's own pages, in a browser that was opened with the address that has the key.
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

struct StudioAccess: Sendable {
    static let keyName = "key"

    enum Decision {
        case admitted
        /// The browser gets the cookie, and goes to an address without the key.
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
        if request.method == .get, let given = request.uri.queryParameters.get(Self.keyName), isKey(given) {
            return .enters(
                address: Self.withoutKey(request),
                cookie: "\(cookie)=\(key); Path=/studio; HttpOnly; SameSite=Strict"
            )
        }
        guard let given = request.cookie(cookie), isKey(given) else {
            return .refused(
                .key,
                "The studio was not opened with its key.",
                remedy: "Open the address that the studio printed when it started: it ends with the key."
            )
        }
        return .admitted
    }

    /// Compares in a time that does not depend on the content.
    private func isKey(_ given: String) -> Bool {
        let one = Array(given.utf8), other = Array(key.utf8)
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
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
