// A class of PointerValidationTests.
import ManagedGraph

/// A class whose superclass has the other form.
final class ValuedPinnedTask: PinnedTask {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
        if key == "text", let text = value as? String { value = text + "." }
    }
}
