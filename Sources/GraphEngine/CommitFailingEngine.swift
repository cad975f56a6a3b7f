// The capability of an engine to fail on purpose, for tests of saves over several stores.

/// An engine whose next commit can be made to fail.
package protocol CommitFailingEngine: StoreEngine {
    var failsNextCommit: Bool { get set }
}
