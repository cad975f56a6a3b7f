// Refuses requests that another site makes a browser send. Called before anything else. Programs other than browsers send
// neither Origin nor Sec-Fetch-Site; other sites cannot misuse them, so they are admitted.
import HTTPTypes

/// The check of each request's origin.
public struct RequestGuard: Sendable {
    private static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")

    private static let loopback: Set<String> = ["127.0.0.1", "localhost", "::1"]

    private let hosts: Set<String>?

    /// Creates a check.
    ///
    /// - Parameter hosts: Further names and addresses of this server, besides those of the loopback interface; nil if it may
    ///   be reached under any.
    public init(hosts: Set<String>? = []) {
        self.hosts = hosts?.union(Self.loopback)
    }

    /// Returns the reason for refusing a request, or nil.
    ///
    /// - Parameter request: The request.
    /// - Returns: A sentence for the reader, or nil if the request is admitted.
    public func refusal(_ request: HTTPRequest) -> String? {
        let host = request.authority ?? ""
        if let hosts, !hosts.contains(Self.name(host)) {
            // Another name that resolves to this machine indicates DNS rebinding.
            let otherHosts = hosts.subtracting(Self.loopback).sorted().map { ", \($0)" }.joined()
            return "This server answers only under 127.0.0.1 or localhost\(otherHosts)."
        }
        guard request.method != .get, request.method != .head else { return nil }
        if let name = Self.secFetchSite, let site = request.headerFields[name], site != "same-origin", site != "none" {
            return "The request comes from another site, so nothing was changed."
        }
        // Behind a proxy that ends TLS the browser's origin is secure, and the host is the one that the browser asked for.
        if let origin = request.headerFields[.origin], !["http://\(host)", "https://\(host)"].contains(origin) {
            return "The request comes from another origin, so nothing was changed."
        }
        return nil
    }

    /// The host without the port.
    private static func name(_ authority: String) -> String {
        let name =
            authority.hasPrefix("[")
            ? authority.prefix(while: { $0 != "]" }).dropFirst()
            : authority.prefix(while: { $0 != ":" })
        return name.lowercased()
    }
}
