// A managed object model: the entities, their configurations and the stored fetch requests. Made in code or from a
// file; used by coordinators, which make it unchangeable. It does not depend on stores, contexts or objects.
import Foundation
import GraphModel
import Synchronization

/// The schema of an object graph.
// Sendable: written only while it is being built, by one thread; read-only once a coordinator uses it. The lock
// guards the moment between, and the answers that are computed at first use.
open class NSManagedObjectModel: NSObject, NSCopying, @unchecked Sendable {
    package final var isEditable: Bool { !frozen.load(ordering: .acquiring) }
    private let frozen = Atomic<Bool>(false)
    private let freezing = NSLock()

    final var allEntities: [NSEntityDescription] = []
    final var configurationEntities: [(name: String, entities: [NSEntityDescription])] = []
    final var templates: [(name: String, request: NSFetchRequest<any NSFetchRequestResult>)] = []
    /// The model as objects and stores use it; a `CompiledModel`, which keeps a model in use alive for good.
    final var compiledModel: CompiledModel?
    /// The folder of versions that the model was read from: the place to search for a store's older version.
    package final var origin: URL?
    /// The own entities, if those of an equal model have replaced them.
    private var formerEntities: [NSEntityDescription] = []
    private var nameCache: [String: NSEntityDescription]?
    private var hashCache: [String: Data]?
    private var schemaCache: Model?

    /// Names that distinguish versions of the model.
    open var versionIdentifiers: Set<AnyHashable> = [] {
        willSet { requireEditable(isEditable, "the version identifiers of a model") }
    }
    /// Texts for entities, properties and errors, by keys such as `Property/name/Entity/Task`.
    ///
    /// They may be changed while the model is in use, and errors use the names of that moment. Equal models in use share
    /// them.
    open var localizationDictionary: [String: String]? {
        get { localization.withLock { $0 }.texts }
        set { localization.withLock { $0 }.texts = newValue }
    }
    private let localization = Mutex(LocalizedTexts())

    /// Makes an empty model.
    public override init() {
        super.init()
    }

    /// All entities.
    ///
    /// Subentities of the entities that are set become part of the model too.
    open var entities: [NSEntityDescription] {
        get { allEntities }
        set {
            requireEditable(isEditable, "the entities of a model")
            for entity in allEntities where entity.owner === self { entity.owner = nil }
            allEntities = newValue
            for entity in allEntities {
                precondition(
                    entity.owner == nil || entity.owner === self,
                    "Entity \(entity.displayName) is already part of another model: add a copy."
                )
                entity.owner = self
            }
            adoptSubentities()
            connectCopiedInverses()
            forgetNames()
        }
    }

    /// The entities by name.
    open var entitiesByName: [String: NSEntityDescription] {
        nameCache ?? makeEntitiesByName()
    }

    /// The version hash of each entity, 32 bytes each, by name.
    open var entityVersionHashesByName: [String: Data] {
        hashCache ?? schema.versionHashes()
    }

    /// One text for the version hashes of all entities: base64 of a SHA-256 hash.
    open var versionChecksum: String {
        Model.checksum(of: entityVersionHashesByName)
    }

    /// The model as values.
    ///
    /// O(1) once the model is in use.
    package final var schema: Model { schemaCache ?? graphModel() }

    /// Whether another model has equal entities, configurations and fetch requests; O(n) in their properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return self === other || schema == other.schema
    }

    /// A hash of the entities' names.
    open override var hash: Int { Set(allEntities.map(\.name)).hashValue }

    /// Copies the model with everything in it; the copy can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        makeCopy()
    }

    /// Forbids further changes and prepares the answers to lookups.
    ///
    /// Called by the coordinator; does no harm twice.
    package final func freeze() {
        freezing.withLock {
            guard isEditable else { return }
            nameCache = makeEntitiesByName()
            let schema = graphModel()
            schemaCache = schema
            hashCache = schema.versionHashes()
            for entity in allEntities { entity.cache = EntityCache(entity) }
            for entity in allEntities {
                entity.isEditable = false
                for property in entity.ownProperties { property.freeze() }
                for index in entity.indexes { index.freeze() }
            }
            frozen.store(true, ordering: .releasing)
        }
    }

    /// Forgets the entities by name after one of them was renamed.
    final func forgetNames() {
        nameCache = nil
    }

    /// Replaces the entities of a frozen model by those of an equal one, and shares its texts.
    final func takeEntities(of other: NSManagedObjectModel) {
        // A program may have kept one; its relationships lead to the other ones without keeping them.
        formerEntities = allEntities
        allEntities = other.allEntities
        nameCache = other.entitiesByName
        let shared = other.localization.withLock { $0 }
        localization.withLock { $0 = shared }
    }

    /// Takes in subentities that were not listed.
    final func adoptSubentities() {
        var seen = Set(allEntities.map(ObjectIdentifier.init))
        for entity in allEntities.flatMap(\.selfAndDescendants) where seen.insert(ObjectIdentifier(entity)).inserted {
            entity.owner = self
            allEntities.append(entity)
        }
    }

    private func makeEntitiesByName() -> [String: NSEntityDescription] {
        var result: [String: NSEntityDescription] = [:]
        for entity in allEntities {
            if let name = entity.name { result[name] = entity }
        }
        return result
    }
}
