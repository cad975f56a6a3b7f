/// The reason why a migration failed; the store is unchanged.
package struct MigrationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// The store's tables do not match the source model.
        case sourceStore
        /// Values that must be unique occur more than once.
        case constraint
        /// Objects or relationships do not fit the new model, or were lost during the migration.
        case content
    }

    package var kind: Kind
    package var entity: String?
    package var property: String?
    package var reason: String

    package init(_ kind: Kind, entity: String? = nil, property: String? = nil, reason: String) {
        self.kind = kind
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    package var description: String {
        [entity, property].compactMap(\.self).joined(separator: ".") + (entity == nil ? "" : ": ") + reason
    }
}
