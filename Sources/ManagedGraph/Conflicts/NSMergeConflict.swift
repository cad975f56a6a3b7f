// One object that was changed here and elsewhere since it was read. Made by a save, settled by a merge policy.
import Foundation

/// An object whose version in memory is not the one that a save finds.
///
/// See [NSMergeConflict](https://developer.apple.com/documentation/coredata/nsmergeconflict).
open class NSMergeConflict: NSObject {
    /// The object of the context that is being saved.
    public final let sourceObject: NSManagedObject
    /// The object's values in the context, `NSNull` for nil.
    public final let objectSnapshot: [String: Any]?
    /// The values that the object was read with; for a child context, those its parent has now.
    public final let cachedSnapshot: [String: Any]?
    /// The values in the store; nil where the row is gone, and for a child context.
    public final let persistedSnapshot: [String: Any]?
    /// The version found; 0 where the object was deleted.
    public final let newVersionNumber: Int
    /// The version the object was read at.
    public final let oldVersionNumber: Int
    /// What the other side has, for the policy.
    let committed: CommittedRow?

    /// Makes a conflict.
    ///
    /// - Parameters:
    ///   - srcObject: The object of the context.
    ///   - newvers: The version found; 0 where the object was deleted.
    ///   - oldvers: The version the object was read at.
    ///   - cachesnap: The values that the object was read with.
    ///   - persnap: The values in the store.
    public init(
        source srcObject: NSManagedObject,
        newVersion newvers: Int,
        oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?,
        persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.storedSnapshot()
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        committed = nil
        super.init()
    }

    /// A conflict with the store, or with the parent.
    init(_ object: NSManagedObject, version: Int64, found: CommittedRow, isParent: Bool) {
        sourceObject = object
        objectSnapshot = object.storedSnapshot()
        let theirs = found.snapshot(of: object)
        cachedSnapshot = isParent ? theirs : object.committedValues(forKeys: nil)
        persistedSnapshot = isParent ? nil : theirs
        newVersionNumber = Int(found.version)
        oldVersionNumber = Int(version)
        committed = found
        super.init()
    }

    /// The object, and for each property that differs the value on either side.
    open override var description: String {
        "NSMergeConflict for \(sourceObject.describeForMessages), read at version \(oldVersionNumber): \(story)"
    }

    /// What happened, for messages.
    var story: String {
        let other = persistedSnapshot ?? (newVersionNumber == 0 ? nil : cachedSnapshot)
        guard let other else { return "it was deleted elsewhere" }
        if sourceObject.isDeleted { return "it was changed elsewhere and deleted here" }
        let place = persistedSnapshot == nil ? "the parent context" : "the store"
        let read = persistedSnapshot == nil ? [:] : cachedSnapshot ?? [:]
        let differences = (objectSnapshot ?? [:]).sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            guard let theirs = other[name], !Self.isSame(value, theirs) else { return nil }
            let former = read[name].map { ", read as \(Self.text($0))" } ?? ""
            return "\(name) is \(Self.text(value)) here and \(Self.text(theirs)) in \(place)\(former)"
        }
        return differences.isEmpty ? "it was saved elsewhere with the same values" : differences.joined(separator: "; ")
    }

    private static func isSame(_ one: Any, _ other: Any) -> Bool {
        (one as? NSObject)?.isEqual(other) ?? ((one as? AnyHashable) == (other as? AnyHashable))
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case is NSNull: "nil"
        case let text as String: "\"\(text)\""
        case let object as NSManagedObject: object.describeForMessages
        case let identifier as NSManagedObjectID: identifier.uriRepresentation().lastPathComponent
        default: "\(value)"
        }
    }
}
