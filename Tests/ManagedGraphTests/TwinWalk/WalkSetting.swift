// The fixed properties of a walk, apart from its steps.
import Foundation
import ManagedGraph

/// The fixed properties of a walk, apart from its steps.
struct WalkSetting {
    let seed: UInt64
    var stepCount = 60
    var store = WalkStore.Kind.sqlite
    var shape: WalkShape { seed % 3 == 2 ? .family : .twins }
    var policy: NSMergePolicyType { NSMergePolicyType(rawValue: UInt(seed / 6 % 5)) ?? .errorMergePolicyType }
    var isOneTurn: Bool { seed % 2 == 0 }
}
