// The error of the tests of shared stores.

/// A promise of a shared store that was broken.
struct SharedStoreFailure: Error, CustomStringConvertible {
    let description: String
}
