// The result of an action: the next screen.

/// The result of an action: the next screen.
public enum Outcome: Sendable {
    /// The same screen again.
    case stay
    /// Another screen, at an address created by `Place.link`.
    case open(String)
    /// Starts a job and opens another screen.
    case start(Job, then: String)
}
