// What reader and writer of compiled models must agree on and no archive of Apple's at hand shows: our own keys, which Apple's
// frameworks pass over.

enum CompiledModelKeys {
    /// The expression of an index's element.
    static let indexedExpression = "MGExpression"
    /// Whether a value is encrypted in the cloud.
    static let allowsCloudEncryption = "MGAllowsCloudEncryption"
    /// Whether Spotlight indexes a property.
    static let isIndexedBySpotlight = "MGIsIndexedBySpotlight"

    /// The expression that gives Spotlight an object's name.
    static let spotlightName = "MGSpotlightName"

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
