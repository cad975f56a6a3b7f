// A part of the site that another module serves, such as the studio: its requests, and the links to it on the applications'
// pages. Given to ScreenServer by the executable.
import Hummingbird
import Logging

/// A part of the site that is not an application.
public struct ServerGuest: Sendable {
    /// A link to the guest.
    public struct Link: Sendable {
        let title: String
        let address: String

        /// Creates a link.
        ///
        /// - Parameters:
        ///   - title: One word for a button.
        ///   - address: The address.
        public init(_ title: String, to address: String) {
            self.title = title
            self.address = address
        }
    }

    /// The first component of its addresses.
    let path: String
    let title: String
    let summary: String
    let address: String
    let links: @Sendable (String) -> [Link]
    let respond: @Sendable (Request, Logger) async -> Response
    let close: @Sendable () -> Void

    /// Creates a guest.
    ///
    /// - Parameters:
    ///   - path: The first component of its addresses.
    ///   - title: The name shown to people.
    ///   - summary: One sentence for the home page.
    ///   - address: The address of its first page.
    ///   - links: Returns the links that the pages of an application show, by the application's name.
    ///   - respond: Answers a request; called after the check of the request's origin.
    ///   - close: Ends its event streams, when the server stops.
    public init(
        path: String,
        title: String,
        summary: String,
        address: String,
        links: @escaping @Sendable (String) -> [Link],
        respond: @escaping @Sendable (Request, Logger) async -> Response,
        close: @escaping @Sendable () -> Void
    ) {
        self.path = path
        self.title = title
        self.summary = summary
        self.address = address
        self.links = links
        self.respond = respond
        self.close = close
    }
}
