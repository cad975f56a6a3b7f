// The arguments of the tests of TwinWalk.

/// The arrangement of a walk's contexts.
enum WalkShape: Int, CaseIterable {
    /// Two contexts over the store.
    case twins
    /// Two contexts over the store, and a child of the first.
    case family
}
