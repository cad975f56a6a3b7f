/// How a merge policy settles conflicts; raw values are Apple's.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// By property; where both sides have changed it, the store's value counts.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// By property; where both sides have changed it, the value in memory counts.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The whole object in memory counts.
    case overwriteMergePolicyType = 3
    /// The store counts; the object's changes are dropped.
    case rollbackMergePolicyType = 4
}
