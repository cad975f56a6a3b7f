// An entity: a kind of managed object. Made by users in code and by the model's loader; read by everything above
// the stores. Holds no objects. Inheritance is in NSEntityDescription+Hierarchy.swift, lookups in +Properties.swift.
import Foundation
import GraphModel
import GraphPredicates

/// The description of an entity: it is to managed objects as a class is to objects.
// Sendable: written only while the model is being built, by one thread; read-only once a coordinator uses it, but for
// userInfo, which a lock guards.
open class NSEntityDescription: NSObject, NSCopying, @unchecked Sendable {
    package final var isEditable = true
    package final weak var owner: NSManagedObjectModel?
    /// The way in which Xcode generates the class; kept so that a model is written back unchanged.
    package final var codeGeneration: CodeGeneration = .manual
    final weak var parent: NSEntityDescription?
    final var children: [NSEntityDescription] = []
    final var ownProperties: [NSPropertyDescription] = []
    /// Answers to lookups, made once when the model is first used by a coordinator.
    final var cache: EntityCache?
    /// The slots of the entity's objects; set when the model is compiled.
    @exclusivity(unchecked) private(set) final var table: UnsafePointer<LayoutTable>?
    /// The entity as objects and stores use it; set when the model is compiled, and never freed.
    final var compiledLayout: ObjectLayout? {
        get { table?.pointee.layout }
        set { table = newValue?.table }
    }

    /// The entity that this object is a twin of; nil for the entity itself.
    private(set) final var original: NSEntityDescription?
    private var storedClassName: String?
    private var storedRenamingIdentifier: String?

    /// The name of the entity.
    open var name: String? {
        willSet { requireEditable(isEditable, "the name of entity \(displayName)") }
        didSet { owner?.forgetNames() }
    }
    /// Whether there can be no objects of this entity, only of its subentities.
    open var isAbstract: Bool = false {
        willSet { requireEditable(isEditable, "isAbstract of entity \(displayName)") }
    }
    /// Values that the user keeps with the entity, none unless set; they may be changed while the model is in use.
    open var userInfo: [AnyHashable: Any]? {
        get { storedUserInfo.values }
        set { storedUserInfo.values = newValue }
    }
    private let storedUserInfo = LockedUserInfo()
    /// Text that makes the version hash differ although nothing else does.
    open var versionHashModifier: String? {
        willSet { requireEditable(isEditable, "versionHashModifier of entity \(displayName)") }
    }
    /// The indexes that a store keeps for fetches of this entity.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireEditable(isEditable, "the indexes of entity \(displayName)") }
        didSet { for index in indexes { index.entity = self } }
    }
    /// Indexes over several properties as older models have them: lists of properties or their names.
    @available(*, deprecated, message: "Use indexes instead.")
    open var compoundIndexes: [[Any]] {
        get { compoundIndexNames }
        set {
            requireEditable(isEditable, "the compound indexes of entity \(displayName)")
            compoundIndexNames = newValue.map(Self.names)
        }
    }
    final var compoundIndexNames: [[String]] = []

    /// Lists of attributes (or their names); no two objects may agree in all attributes of one list.
    open var uniquenessConstraints: [[Any]] = [] {
        willSet { requireEditable(isEditable, "the uniqueness constraints of entity \(displayName)") }
    }

    /// The expression for an object's name in Spotlight; stored with the model, and unused outside Apple's platforms.
    ///
    /// See
    /// [coreSpotlightDisplayNameExpression](https://developer.apple.com/documentation/coredata/nsentitydescription).
    open var coreSpotlightDisplayNameExpression: NSExpression! {
        willSet { requireEditable(isEditable, "the Spotlight name of entity \(displayName)") }
    }

    /// Makes an entity without a name.
    public override init() {
        super.init()
    }

    /// The model that the entity is part of; for an entity that is in no model yet, one without entities.
    open var managedObjectModel: NSManagedObjectModel { owner ?? NSManagedObjectModel() }

    /// The name of the class of the entity's objects.
    ///
    /// If the model's source says "the current module", the class's name with its module, as Apple's compiler writes
    /// it.
    open var managedObjectClassName: String! {
        get { storedClassName.map(ManagedObjectRegistry.compiledName) ?? "NSManagedObject" }
        set {
            requireEditable(isEditable, "the class of entity \(displayName)")
            storedClassName = newValue
        }
    }

    package final var declaredClassName: String? { storedClassName }

    /// The name that the entity has had in earlier versions of the model; its name if none was set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set {
            requireEditable(isEditable, "renamingIdentifier of entity \(displayName)")
            storedRenamingIdentifier = newValue
        }
    }

    package final var declaredRenamingIdentifier: String? { storedRenamingIdentifier }

    /// The uniqueness constraints as lists of attribute names.
    package final var uniquenessConstraintNames: [[String]] {
        uniquenessConstraints.map(Self.names)
    }

    private static func names(_ properties: [Any]) -> [String] {
        properties.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
    }

    final var displayName: String { name ?? "(without a name)" }

    /// Copies the entity with its own properties and its subentities; the copy is in no model.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSEntityDescription()
        copy.name = name
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.coreSpotlightDisplayNameExpression = coreSpotlightDisplayNameExpression
        copy.versionHashModifier = versionHashModifier
        copy.uniquenessConstraints = uniquenessConstraintNames
        copy.compoundIndexNames = compoundIndexNames
        copy.storedClassName = storedClassName
        copy.storedRenamingIdentifier = storedRenamingIdentifier
        copy.codeGeneration = codeGeneration
        copy.properties = ownProperties.compactMap { $0.copy(with: zone) as? NSPropertyDescription }
        copy.subentities = children.compactMap { $0.copy(with: zone) as? NSEntityDescription }
        copy.indexes = indexes.compactMap { $0.copy(with: zone) as? NSFetchIndexDescription }
        copy.rebindIndexElements()
        return copy
    }

    /// Another object for the entity of a model in use, with all that the entity has.
    ///
    /// A context passes its own twin to the initializers of the objects that it makes from rows: if all contexts shared
    /// one, all threads would count references in the same word of memory.
    private init(twinOf other: NSEntityDescription) {
        isEditable = false
        codeGeneration = other.codeGeneration
        children = other.children
        ownProperties = other.ownProperties
        cache = other.cache
        table = other.table
        storedClassName = other.storedClassName
        storedRenamingIdentifier = other.storedRenamingIdentifier
        name = other.name
        isAbstract = other.isAbstract
        storedUserInfo.values = other.userInfo
        versionHashModifier = other.versionHashModifier
        indexes = other.indexes
        compoundIndexNames = other.compoundIndexNames
        uniquenessConstraints = other.uniquenessConstraints
        coreSpotlightDisplayNameExpression = other.coreSpotlightDisplayNameExpression
        original = other
        super.init()
        owner = other.owner
        parent = other.parent
    }

    final func makeTwin() -> NSEntityDescription { NSEntityDescription(twinOf: self) }

    /// Becomes another object for an equal entity, which is in use.
    final func stand(for other: NSEntityDescription) {
        original = other
        compiledLayout = other.compiledLayout
    }

    /// Whether it is this entity, or the same one of an equal model in use.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return (original ?? self) === (other.original ?? other)
    }

    /// A hash of the name: it stays when the entity comes to stand for another one.
    open override var hash: Int { name.hashValue }

    /// Points the elements of copied indexes at this entity's own properties.
    private func rebindIndexElements() {
        let byName = propertiesByName
        for element in indexes.flatMap(\.elements) {
            if let name = element.propertyName, let property = byName[name] { element.property = property }
        }
    }
}
