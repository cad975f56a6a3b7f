// A fetch that a person has saved under a name. Kept in a SavedQueryFile.

/// A named fetch.
public struct SavedQuery: Codable, Sendable {
    /// The name.
    public var name: String
    /// The fetch.
    public var request: ConsoleRequest

    /// Names a fetch.
    public init(_ name: String, _ request: ConsoleRequest) {
        (self.name, self.request) = (name, request)
    }
}
