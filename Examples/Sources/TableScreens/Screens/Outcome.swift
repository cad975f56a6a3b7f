// The result of an action: the next screen.
import CoreData

/// The result of an action: the next screen.
public enum Outcome: Sendable {
    /// The same screen again.
    case stay
    /// Another screen, at an address created by `Place.link`.
    case open(String)
    /// The first screen of an object that the action has inserted and saved.
    ///
    /// If the reader leaves the screens beneath this address and the object is still as it was inserted, it is deleted.
    case openNew(String, NSManagedObjectID)
    /// Starts a job and opens another screen.
    case start(Job, then: String)
}
