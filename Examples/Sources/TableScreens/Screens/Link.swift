// A link from one screen to another.

/// An address with a title.
public struct Link: Sendable {
    /// The title.
    public var title: String
    /// The address, created by `Place.link`.
    public var address: String

    /// Creates an address with a title.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - address: An address created by `Place.link`.
    public init(_ title: String, to address: String) {
        self.title = title
        self.address = address
    }
}
