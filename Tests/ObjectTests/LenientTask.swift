// A task whose class ignores unknown keys.
import Foundation
import Testing

@testable import ManagedGraph

/// A class that ignores unknown keys.
final class LenientTask: NSManagedObject {
    var others: [String: Any] = [:]
    override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }
    override func value(forUndefinedKey key: String) -> Any? { others[key] }
    // Skips the model's validation rules.
    override func validateForInsert() throws {}
}
