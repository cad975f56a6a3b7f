// A name with its former name, for matching two versions.

/// A name with its former name.
struct VersionedName {
    var name: String
    var renamingIdentifier: String?

    /// The name shared by all versions.
    var canonical: String { renamingIdentifier ?? name }
}
