// The settings that attributes, relationships and fetched properties share.
import Foundation

/// The values that every kind of property has.
package struct PropertyCommon: Sendable, Hashable {
    package var name: String
    package var isOptional: Bool
    package var isTransient: Bool
    package var isReadOnly: Bool
    package var isIndexed: Bool
    package var isIndexedBySpotlight: Bool
    /// For the record files that Spotlight once read; without effect on the store.
    package var isStoredInExternalRecord: Bool
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String]
    /// Validation predicates by format, each with its warning (nil if the model has none).
    package var validations: [ValidationRule]

    package init(
        name: String,
        isOptional: Bool = true,
        isTransient: Bool = false,
        isReadOnly: Bool = false,
        isIndexed: Bool = false,
        isIndexedBySpotlight: Bool = false,
        isStoredInExternalRecord: Bool = false,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [String: String] = [:],
        validations: [ValidationRule] = []
    ) {
        self.name = name
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isReadOnly = isReadOnly
        self.isIndexed = isIndexed
        self.isIndexedBySpotlight = isIndexedBySpotlight
        self.isStoredInExternalRecord = isStoredInExternalRecord
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.validations = validations
    }
}
