/// A page of the program that embeds the studio, to which the studio's bar links.
public struct StudioHome: Sendable {
    let title: String
    let address: String

    /// Creates the link.
    ///
    /// - Parameters:
    ///   - title: The name of the page.
    ///   - address: Its address.
    public init(title: String, address: String) {
        self.title = title
        self.address = address
    }
}
