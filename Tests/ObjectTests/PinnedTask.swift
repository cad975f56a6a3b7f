// A class of PointerValidationTests.
import Foundation
import ManagedGraph

/// A class that checks and corrects values by their place.
class PinnedTask: NSManagedObject {
    enum Failure: Error { case pin }
    private(set) var asked: [String] = []

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        asked.append(key)
        try super.validateValue(value, forKey: key)
        guard key == "text", let text = value.pointee as? String else { return }
        if text == "bad" { throw Failure.pin }
        if text.hasPrefix(" ") { value.pointee = text.trimmingCharacters(in: .whitespaces) as AnyObject }
    }
}
