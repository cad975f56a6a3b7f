/// Why a migration was given up, where nothing was changed.
package struct MigrationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// The store's tables are not those of the source model.
        case sourceStore
        /// Values are there twice that may be there once.
        case constraint
        /// Objects or relationships do not fit the new model, or were lost on the way.
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
