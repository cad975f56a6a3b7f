// A property of an entity. Made by users in code and by the model's loader; read by everything above the stores.
// Holds no values of objects.
import Foundation
import GraphModel

/// The description of one property of an entity.
// Sendable: written only while the model is being built, by one thread; read-only once a coordinator uses it, but for
// userInfo, which a lock guards.
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
    package final var isEditable = true
    package final weak var owner: NSEntityDescription?
    /// The older "indexed" mark of model files; kept so that a model is written back as it was read.
    final var indexedMark = false
    /// Whether only the framework sets the value, as with derived and fetched properties; part of version hashes.
    final var readOnlyMark = false
    /// The mark for Spotlight's old record files; kept for the same reason.
    final var externalRecordMark = false

    /// The name of the property.
    open var name: String = "" {
        willSet { requireEditable(isEditable, "the name of property \(name)") }
    }
    /// Whether an object can be saved without a value.
    open var isOptional: Bool = true {
        willSet { requireEditable(isEditable, "isOptional of property \(name)") }
    }
    /// Whether the value is kept in memory only.
    open var isTransient: Bool = false {
        willSet { requireEditable(isEditable, "isTransient of property \(name)") }
    }
    /// Values that the user keeps with the property, none unless set; they may be changed while the model is in use.
    open var userInfo: [AnyHashable: Any]? {
        get { storedUserInfo.values }
        set { storedUserInfo.values = newValue }
    }
    private let storedUserInfo = LockedUserInfo()
    /// Text that makes the version hash differ although nothing else does.
    open var versionHashModifier: String? {
        willSet { requireEditable(isEditable, "versionHashModifier of property \(name)") }
    }
    /// Whether the property should be found by Spotlight.
    open var isIndexedBySpotlight: Bool = false {
        willSet { requireEditable(isEditable, "isIndexedBySpotlight of property \(name)") }
    }
    /// The predicates that a value must satisfy.
    open private(set) var validationPredicates: [NSPredicate] = []
    /// For each predicate, the error code (a number) or the text reported if it is not satisfied.
    open private(set) var validationWarnings: [Any] = []

    private var storedRenamingIdentifier: String?

    /// Makes a property without a name.
    public override init() {
        super.init()
    }

    /// The entity that declares the property; for a property that is in no entity yet, one without a name.
    open var entity: NSEntityDescription { owner ?? NSEntityDescription() }

    /// The name that the property has had in earlier versions of the model; its name if none was set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set {
            requireEditable(isEditable, "renamingIdentifier of property \(name)")
            storedRenamingIdentifier = newValue
        }
    }

    package final var declaredRenamingIdentifier: String? { storedRenamingIdentifier }

    /// Sets the predicates that a value must satisfy.
    ///
    /// - Parameters:
    ///   - validationPredicates: The predicates, evaluated with the value as `SELF`.
    ///   - validationWarnings: For each predicate an error code (a number) or a text.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?,
        withValidationWarnings validationWarnings: [Any]?
    ) {
        requireEditable(isEditable, "the validation of property \(name)")
        self.validationPredicates = validationPredicates ?? []
        self.validationWarnings = validationWarnings ?? []
    }

    /// Whether the property was marked as indexed in the older way.
    @available(*, deprecated, message: "Use NSEntityDescription.indexes instead.")
    open var isIndexed: Bool {
        get { indexedMark }
        set {
            requireEditable(isEditable, "isIndexed of property \(name)")
            indexedMark = newValue
        }
    }

    /// Whether the property was marked for the record files that Spotlight once read.
    @available(*, deprecated, message: "Use isIndexedBySpotlight instead.")
    open var isStoredInExternalRecord: Bool {
        get { externalRecordMark }
        set {
            requireEditable(isEditable, "isStoredInExternalRecord of property \(name)")
            externalRecordMark = newValue
        }
    }

    /// The hash that distinguishes versions of the property: 32 bytes.
    open var versionHash: Data {
        schemaProperty.versionHash
    }

    /// Copies the property; the copy belongs to no entity and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeEmptyCopy()
        copyContents(to: copy)
        return copy
    }

    /// An empty property of the same class.
    func makeEmptyCopy() -> NSPropertyDescription {
        NSPropertyDescription()
    }

    /// Writes all of this property's settings into a copy.
    ///
    /// Subclasses add their own.
    func copyContents(to copy: NSPropertyDescription) {
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.validationPredicates = validationPredicates
        copy.validationWarnings = validationWarnings
        copy.storedRenamingIdentifier = storedRenamingIdentifier
        copy.indexedMark = indexedMark
        copy.readOnlyMark = readOnlyMark
        copy.externalRecordMark = externalRecordMark
    }

    /// Forbids further changes.
    ///
    /// Subclasses add their own parts.
    func freeze() {
        isEditable = false
    }
}
