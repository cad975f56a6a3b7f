// A task with properties whose types generated accessors read through Any.
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

/// Properties whose types generated accessors read through Any.
final class MoodyTask: NSManagedObject {
    static let text = ManagedProperty("text")
    static let location = ManagedProperty("location")
    var mood: Mood {
        get { managedValue(for: Self.text) }
        set { setManagedValue(newValue, for: Self.text) }
    }
    var words: [String] { managedValue(for: Self.text) }
    var wrongPlace: TestTask? { managedValue(for: Self.location) }
}
