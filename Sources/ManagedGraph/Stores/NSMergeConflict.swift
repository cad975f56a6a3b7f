// A conflict on one object, changed both here and elsewhere since it was read. Created by a save, resolved by a merge
// policy.
import Foundation

/// An object whose version in memory differs from the version that a save finds.
///
/// See [NSMergeConflict](https://developer.apple.com/documentation/coredata/nsmergeconflict).
open class NSMergeConflict: NSObject {
    /// The object of the context that is being saved.
    public final let sourceObject: NSManagedObject
    /// The values that the object was last read or saved with, `NSNull` for nil; for a conflict created by client code,
    /// the values in the context.
    public final var objectSnapshot: [String: Any]? { objectValues?.dictionary }
    /// The values that the coordinator last read or saved.
    ///
    /// If another context of the coordinator saved the object, these are the values it saved, or nil for a deletion. If
    /// another coordinator or process saved it, these are the values that the object was read with.
    public final var cachedSnapshot: [String: Any]? { cachedValues?.dictionary }
    /// The values in the store; nil if a context of the same coordinator saved the object, or if the row is gone.
    public final var persistedSnapshot: [String: Any]? { persistedValues?.dictionary }
    /// The version found; 0 if the object was deleted.
    public final let newVersionNumber: Int
    /// The version at which the object was read.
    public final let oldVersionNumber: Int
    private let objectValues: ConflictSnapshot?
    private let cachedValues: ConflictSnapshot?
    private let persistedValues: ConflictSnapshot?
    /// The committed row, for the merge policy.
    let committed: CommittedRow?
    /// The committed values, for messages.
    private let theirs: ConflictSnapshot?
    /// The object's values in the context, for messages.
    private let mine: ConflictSnapshot
    private let place: Place

    /// The place where a save finds the other change.
    enum Place {
        /// Another context of the coordinator saved the object.
        case coordinator
        /// Another coordinator or process saved the object.
        case store
        /// The parent context deleted the object.
        case parent
    }

    /// Creates a conflict.
    ///
    /// - Parameters:
    ///   - srcObject: The object of the context.
    ///   - newvers: The version found; 0 if the object was deleted.
    ///   - oldvers: The version at which the object was read.
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
        mine = srcObject.currentSnapshot()
        objectValues = mine
        cachedValues = cachesnap.map(ConflictSnapshot.init)
        persistedValues = persnap.map(ConflictSnapshot.init)
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        committed = nil
        theirs = persistedValues ?? (newvers == 0 ? nil : cachedValues)
        place = persnap == nil ? .coordinator : .store
        super.init()
    }

    /// Creates a conflict with the coordinator, the store or the parent.
    init(_ object: NSManagedObject, version: Int64, found row: CommittedRow, place: Place) {
        sourceObject = object
        mine = object.currentSnapshot()
        objectValues = object.committedSnapshot()
        theirs = row.snapshot(of: object)
        cachedValues = place == .store ? objectValues : theirs
        persistedValues = place == .store ? theirs : nil
        newVersionNumber = Int(row.version)
        oldVersionNumber = Int(version)
        committed = row
        self.place = place
        super.init()
    }

    /// The object, and both values of each property that differs.
    open override var description: String {
        "NSMergeConflict for \(sourceObject.describeForMessages), read at version \(oldVersionNumber): \(story)"
    }

    /// A description of the conflict, for messages.
    var story: String {
        guard let theirs = theirs?.dictionary else {
            return "it was deleted \(place == .parent ? "in the parent context" : "elsewhere")"
        }
        if sourceObject.isDeleted { return "it was changed elsewhere and deleted here" }
        let readSnapshot = committed == nil ? [:] : objectSnapshot ?? [:]
        let differences = mine.dictionary.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            guard let theirValue = theirs[name], !Self.isSame(value, theirValue) else { return nil }
            let former = readSnapshot[name].map { ", read as \(Self.text($0))" } ?? ""
            return "\(name) is \(Self.text(value)) here and \(Self.text(theirValue)) in the store\(former)"
        }
        if !differences.isEmpty { return differences.joined(separator: "; ") }
        return sourceObject.layout.toManySlots.isEmpty
            ? "it was saved elsewhere with the same values"
            : "it was saved elsewhere with the same values, or with other members of its relationships"
    }

    private static func isSame(_ lhs: Any, _ rhs: Any) -> Bool {
        (lhs as? NSObject)?.isEqual(rhs) ?? ((lhs as? AnyHashable) == (rhs as? AnyHashable))
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
