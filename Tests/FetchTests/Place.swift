// A class with registered key paths, as the build plugin generates it: the places of plans.
import Foundation
import ManagedGraph

final class Place: NSManagedObject {
    enum Keys {
        static let name = ManagedProperty("name")
        static let floor = ManagedProperty("floor")
        static let within = ManagedProperty("within")
        static let plans = ManagedProperty("plans")
    }
    var name: String? {
        get { managedValue(for: Keys.name) }
        set { setManagedValue(newValue, for: Keys.name) }
    }
    var floor: Int64 {
        get { managedValue(for: Keys.floor) }
        set { setManagedValue(newValue, for: Keys.floor) }
    }
    var within: Place? {
        get { managedValue(for: Keys.within) }
        set { setManagedValue(newValue, for: Keys.within) }
    }
    var plans: Set<Plan> {
        get { managedValue(for: Keys.plans) }
        set { setManagedValue(newValue, for: Keys.plans) }
    }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("name", \Place.name, \Place?.?.name), ManagedKeyPath("floor", \Place.floor, \Place?.?.floor),
            ManagedKeyPath("within", \Place.within, \Place?.?.within),
            ManagedKeyPath("plans", \Place.plans, \Place?.?.plans),
        ]
    }
}
