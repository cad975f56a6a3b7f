// A change of one setting between two versions of a model.

/// One value that differs.
package struct FieldChange: Sendable, Hashable {
    /// A stable name, such as "type", "default" or "deleteRule".
    package var field: String
    /// The old value as text; nil for none.
    package var before: String?
    /// The new value as text; nil for none.
    package var after: String?
    /// Whether this value affects version hashes; other values do not make a store incompatible.
    package var isHashed: Bool
}
