// A class with registered key paths that adds a property to those of Plan.
import Foundation
import ManagedGraph

/// Adds a property to the inherited ones.
final class LongPlan: Plan {
    var phases: Int64 {
        get { managedValue(for: ManagedProperty("phases")) }
        set { setManagedValue(newValue, for: ManagedProperty("phases")) }
    }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("phases", \LongPlan.phases, \LongPlan?.?.phases),
            ManagedKeyPath("title", \LongPlan.title, \LongPlan?.?.title),
            ManagedKeyPath("rank", \LongPlan.rank, \LongPlan?.?.rank),
        ]
    }
}
