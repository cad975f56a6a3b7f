// Responses with pages and data that no browser keeps, with the headers that protect a page from other sites.
import HTTPTypes
import Hummingbird

extension Response {
    /// Sources that pages may load from: only this server.
    public static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-src 'self'; frame-ancestors 'self'"

    /// Returns a page.
    ///
    /// - Parameters:
    ///   - text: The HTML.
    ///   - status: The status.
    ///   - policy: The content security policy.
    /// - Returns: The response.
    public static func html(_ text: String, status: HTTPResponse.Status = .ok, policy: String = policy) -> Response {
        plain(text, type: "text/html; charset=utf-8", status: status, policy: policy)
    }

    /// Returns JSON.
    ///
    /// - Parameters:
    ///   - text: The JSON.
    ///   - status: The status.
    /// - Returns: The response.
    public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        plain(text, type: "application/json", status: status, policy: policy)
    }

    /// Returns a redirection to another page, to be read with GET.
    ///
    /// - Parameter address: The other page's address.
    /// - Returns: The response.
    public static func redirect(to address: String) -> Response {
        var response = plain("", type: "text/plain; charset=utf-8", status: .seeOther, policy: policy)
        response.headers[.location] = address
        return response
    }

    private static func plain(_ text: String, type: String, status: HTTPResponse.Status, policy: String) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        headers[.vary] = "Accept"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = policy
        for (name, value) in [("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin")] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
