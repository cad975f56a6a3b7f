// A class of ThrownErrorTests.
import ManagedGraph

/// A class whose validation throws errors that are not of type `NSError`.
final class RejectingTask: NSManagedObject {
    enum Rejection: Error, Equatable {
        case object(String)
        case text
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if let text = value(forKey: "text") as? String, text.hasPrefix("reject") { throw Rejection.object(text) }
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
        if key == "text", value as? String == "bad" { throw Rejection.text }
    }
}
