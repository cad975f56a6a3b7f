/// The ways in which a merge policy resolves conflicts; raw values are Apple's.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Merges by property; if both sides have changed one, the store's value wins.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Merges by property; if both sides have changed one, the value in memory wins.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The whole object in memory wins.
    case overwriteMergePolicyType = 3
    /// The store wins; the object's changes are discarded.
    case rollbackMergePolicyType = 4
}
