// A class that overrides the value of one key. Used by ValuePathTests.
import Foundation
import GraphPredicates
import Testing

@testable import ManagedGraph

/// Overrides the value of one key.
final class AnsweringSample: NSManagedObject {
    override func value(forKey key: String) -> Any? {
        key == "text" ? "answered" : super.value(forKey: key)
    }
}
