// The version of the project, in the one place that a release changes; CHANGELOG.md begins with it.

/// The project's version.
enum Version {
    /// A semantic version; `managedgraph --version` prints it.
    static let current = "0.9.0"
}
