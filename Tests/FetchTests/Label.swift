// A class with registered key paths, as the build plugin generates it: the labels of plans.
import Foundation
import ManagedGraph

final class Label: NSManagedObject {
    enum Keys {
        static let name = ManagedProperty("name")
        static let value = ManagedProperty("value")
    }
    var name: String? {
        get { managedValue(for: Keys.name) }
        set { setManagedValue(newValue, for: Keys.name) }
    }
    var value: Int64 {
        get { managedValue(for: Keys.value) }
        set { setManagedValue(newValue, for: Keys.value) }
    }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("name", \Label.name, \Label?.?.name),
            ManagedKeyPath("value", \Label.value, \Label?.?.value),
        ]
    }
}
