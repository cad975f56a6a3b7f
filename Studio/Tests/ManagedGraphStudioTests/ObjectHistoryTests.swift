// Whether a value of the past differs from the present one.
import Foundation
import Testing

@testable import ManagedGraphStudio

struct ObjectHistoryTests {
    @Test func longValuesAreComparedWhole() {
        let beginning = String(repeating: "a", count: ValueText.limit)
        #expect(!ObjectPast.isEqual(beginning + "b", beginning + "c"))
        #expect(ObjectPast.isEqual(beginning + "b", beginning + "b"))
        #expect(!ObjectPast.isEqual(Data([1, 2]), Data([1, 3])))
        let part: [String: Any] = ["text": beginning + "b", "number": 1]
        let other: [String: Any] = ["text": beginning + "c", "number": 1]
        #expect(ObjectPast.isEqual(part, part))
        #expect(!ObjectPast.isEqual(part, other))
    }

    @Test func noValueEqualsNoValue() {
        #expect(ObjectPast.isEqual(nil, NSNull()))
        #expect(!ObjectPast.isEqual(nil, 0))
        #expect(ObjectPast.isEqual(1, NSNumber(value: 1)))
    }
}
