import Foundation
import GraphEngine
import Synchronization

/// A compact, universal identifier of a managed object.
///
/// Two identifiers are equal if they stand for the same row of the same store. They may be passed between threads.
/// See [NSManagedObjectID](https://developer.apple.com/documentation/coredata/nsmanagedobjectid).
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    /// Valid for the life of the process, as layouts are never freed.
    package unowned(unsafe) let layout: ObjectLayout
    package let key: ObjectKey
    private let link: StoreLink?
    /// The permanent identifier that has replaced this temporary one, retained.
    private let successor = Atomic<UnsafeRawPointer?>(nil)

    package convenience init(layout: ObjectLayout, key: ObjectKey, store: NSPersistentStore?) {
        self.init(layout: layout, key: key, link: store?.link)
    }

    init(layout: ObjectLayout, key: ObjectKey, link: StoreLink?) {
        self.layout = layout
        self.key = key
        self.link = link
        super.init()
    }

    /// Makes an identifier that stands for no object, for example in a test.
    ///
    /// It is temporary and equal to no other; its entity is in no model of the program, and no context finds an object
    /// for it.
    public convenience override init() {
        let layout = Self.placeholderModel.layouts[0]
        self.init(layout: layout, key: TemporaryKeys.next(entity: layout.index), link: nil)
    }

    private static let placeholderModel: CompiledModel = {
        let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
        entity.name = "NSManagedObject"
        model.entities = [entity]
        return CompiledModel.of(model)
    }()

    deinit {
        if key.isTemporary { TemporaryIdentifiers.forget(self) }
        successor.load(ordering: .acquiring).map { Unmanaged<NSManagedObjectID>.fromOpaque($0).release() }
    }

    /// The identifier that the object has had since a save; nil for one that is not known to be saved.
    var permanent: NSManagedObjectID? {
        successor.load(ordering: .acquiring).map { Unmanaged<NSManagedObjectID>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Notes the identifier that a save has given to the object; the first one stays.
    func noteSuccessor(_ identifier: NSManagedObjectID) {
        let pointer = UnsafeRawPointer(Unmanaged.passRetained(identifier).toOpaque())
        let isFirst = successor.compareExchange(expected: nil, desired: pointer, ordering: .acquiringAndReleasing)
            .exchanged
        if !isFirst { Unmanaged<NSManagedObjectID>.fromOpaque(pointer).release() }
    }

    /// The entity of the object.
    public var entity: NSEntityDescription { layout.entity }

    /// The store that holds the object; nil for a temporary identifier and after the store was removed.
    public var persistentStore: NSPersistentStore? { link?.store }

    /// Whether the store belongs to the coordinator of a number, which is faster than comparing the objects.
    func isInStore(ofCoordinator number: UInt) -> Bool { link?.isOwned(by: number) ?? false }

    /// The UUID of the store, which outlives the store itself.
    var storeIdentifier: String { link?.identifier ?? "" }

    /// Whether the object has not been saved yet.
    public var isTemporaryID: Bool { key.isTemporary }

    /// The identifier as a URI: `x-coredata://<store>/<entity>/p<key>`, or `x-coredata:///<entity>/t<UUID>` while
    /// temporary.
    ///
    /// - Returns: A URI that `NSPersistentStoreCoordinator.managedObjectID(forURIRepresentation:)` accepts.
    public func uriRepresentation() -> URL {
        let uri: String
        if isTemporaryID {
            uri = "x-coredata:///\(encodedEntityName)/t\(TemporaryKeys.name(key.primaryKey).uuidString)"
        } else {
            uri = "x-coredata://\(encodedStoreIdentifier)/\(encodedEntityName)/p\(encodedReference)"
        }
        guard let url = URL(string: uri) else {
            preconditionFailure("The store identifier \(storeIdentifier) cannot be part of a URI.")
        }
        return url
    }

    /// The store's reference to the object: its primary key, unless the store names its objects itself.
    private var encodedReference: String {
        guard let name = link?.references?.text(key.primaryKey, tree: layout.tree.rootName) else {
            return "\(key.primaryKey)"
        }
        return name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", ".", "~"])) ?? name
    }

    /// The identifier as it is, except for parts that no URI can hold: that of a damaged store, or one that a user has
    /// set.
    private var encodedStoreIdentifier: String {
        storeIdentifier.utf8.allSatisfy(Self.isPlain)
            ? storeIdentifier
            : storeIdentifier.utf8.map {
                Self.isPlain($0) ? String(Unicode.Scalar($0)) : "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16)
            }.joined()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private var encodedEntityName: String {
        layout.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? layout.name
    }

    /// Returns the identifier itself, which cannot change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether two identifiers stand for the same object.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        if self === other { return true }
        // A temporary key is unique in the process; a permanent one in its tree and store.
        return key.primaryKey == other.key.primaryKey
            && (isTemporaryID || link === other.link || storeIdentifier == other.storeIdentifier)
            && layout.tree.rootName == other.layout.tree.rootName
    }

    /// A hash of the parts that `isEqual` compares.
    public override var hash: Int {
        Int(truncatingIfNeeded: key.primaryKey) &* 31 &+ layout.tree.hashOfRootName
    }

    /// The URI, with a mark that a temporary identifier will change.
    public override var description: String {
        "\(isTemporaryID ? "temporary " : "")\(uriRepresentation().absoluteString)"
    }

    public override var debugDescription: String { description }
}
