// Keys shared by the reader and the writer of compiled models: Apple's, and our own for settings that appear in no
// archive of Apple's that we have. Apple's frameworks ignore our own.

enum CompiledModelKeys {
    /// The expression of an index's element.
    static let indexedExpression = "MGExpression"
    /// Whether a value is encrypted in the cloud.
    static let allowsCloudEncryption = "MGAllowsCloudEncryption"
    /// Whether Spotlight indexes a property.
    static let isIndexedBySpotlight = "MGIsIndexedBySpotlight"

    /// The expression that gives Spotlight an object's name.
    static let spotlightName = "MGSpotlightName"

    /// The class that stands for an inherited property in a store's model, and its key for the property.
    static let propertyProxy = "_NSPropertyDescriptionProxy"
    static let underlyingProperty = "NSUnderlyingProperty"

    /// Bits of `NSFlagsKey` of an attribute.
    enum AttributeFlag {
        static let external = 4
        static let preservedOnDeletion = 16
    }

    /// Bits of `NSFetchRequestFlags`.
    enum RequestFlag {
        static let distinct = 1
        static let subentities = 2
        static let propertyValues = 4
        static let faults = 8
        static let pendingChanges = 16
    }
}
