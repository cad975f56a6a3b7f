// The value of a transformable attribute that equals no other value.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

/// A value that equals no other value.
final class TestStamp: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}
