// One object's change in the persistent history. Made by a history request; immutable.
import Foundation
import GraphEngine
import GraphPredicates

/// A change of one object in the history of its store.
///
/// See [NSPersistentHistoryChange](https://developer.apple.com/documentation/coredata/nspersistenthistorychange).
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
    // Sendable: immutable once the request has made it.

    /// The number of the change in its store.
    public final let changeID: Int64
    /// The object.
    public final let changedObjectID: NSManagedObjectID
    /// The kind of the change.
    public final let changeType: NSPersistentHistoryChangeType
    /// For a deleted object, the values of attributes that the model preserves in history.
    public final let tombstone: [AnyHashable: Any]?
    /// For an updated object, the properties that were set.
    public final let updatedProperties: Set<NSPropertyDescription>?
    /// The transaction, if the request reads transactions too.
    public internal(set) final weak var transaction: NSPersistentHistoryTransaction?

    init(_ change: HistoryChange, store: NSPersistentStore, layout: ObjectLayout) {
        changeID = change.number
        changedObjectID = NSManagedObjectID(layout: layout, key: change.key, store: store)
        changeType = NSPersistentHistoryChangeType(rawValue: Int(change.type)) ?? .update
        let values = change.tombstone.compactMap { name, value -> (AnyHashable, Any)? in
            guard let slot = layout.slot(named: name).map({ layout.slots[$0] }) else { return nil }
            return NSPersistentHistoryChange.preserved(value, slot).map { (AnyHashable(name), $0) }
        }
        tombstone = changeType == .delete && !values.isEmpty ? Dictionary(values) { $1 } : nil
        let order = layout.stored.historyOrder
        updatedProperties =
            changeType == .update
            ? Set(change.properties.filter(order.indices.contains).map { layout.slots[order[$0]].property }) : nil
        super.init()
    }

    /// The public form of a deleted object's value; nil if it cannot be read.
    private static func preserved(_ value: RowValue, _ slot: Slot) -> Any? {
        guard slot.type == .transformable, case .data(let data) = value else {
            return Value(value).publicAttribute(slot.type)
        }
        return Transforming.value(from: data, slot: slot).publicAttribute(.transformable)
    }

    /// The change itself: it cannot be changed.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A description of the changes' entity, for fetch requests.
    ///
    /// - Parameter context: Not used: the description is the same for all contexts.
    /// - Returns: The description.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A description of the changes' entity, for fetch requests.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.change }

    /// A request for changes, to be given a predicate over `changeID`, `changedObjectID`, `changedEntity`,
    /// `changeType` and `transaction`, an order and a limit.
    ///
    /// `changedEntity` is compared with an `NSEntityDescription` or with a name. If the result is
    /// transactions, they are those of the changes found, each with these changes only.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.request(HistoryEntities.change)
    }

    /// The change's number, kind and object.
    open override var description: String {
        "<NSPersistentHistoryChange: \(changeID) \(changedObjectID) \(changeType)>"
    }
}

extension NSPersistentHistoryChange: KeyValueReadable {
    /// The value of a property, for predicates.
    ///
    /// - Parameter key: `changeID`, `changedObjectID`, `changedEntity`, `changeType`, `updatedProperties`,
    /// `tombstone` or `transaction`.
    /// - Returns: The value.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "changeID": NSNumber(value: changeID)
        case "changedObjectID": changedObjectID
        case "changedEntity": changedObjectID.entity.name
        case "changeType": NSNumber(value: changeType.rawValue)
        case "updatedProperties": updatedProperties?.map(\.name)
        case "tombstone": tombstone
        case "transaction": transaction
        default: nil
        }
    }
}
