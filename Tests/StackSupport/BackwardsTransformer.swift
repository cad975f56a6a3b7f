// A transformer that reverses texts, for tests of transformable attributes.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

/// A custom transformer that reverses texts.
final class BackwardsTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data(String($0.reversed()).utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
    }
}
