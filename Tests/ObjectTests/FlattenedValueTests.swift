// Tests the form in which values reach attributes from code that has boxed them: without optionals and enumerations.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph

@Suite("Flattened values")
struct FlattenedValueTests {
    private enum Level: Int16 { case high = 3 }

    /// A class with a raw value, as a transformable attribute may hold it.
    private final class Tag: RawRepresentable {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
    }

    @Test("Optionals and enumerations give the value in them")
    func layers() {
        let twice: Int?? = 5
        expectEqual(flatten(twice as Any) as? Int, 5)
        expectNil(flatten(Int?.none as Any))
        expectEqual(flatten(Level.high) as? Int16, 3)
    }

    @Test("An object with a raw value stays the object")
    func objects() {
        let tag = Tag(rawValue: "a")
        #expect(flatten(tag) as? Tag === tag)
    }
}
