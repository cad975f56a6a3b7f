// The values of an object or a row at the moment of a conflict. Taken by a save, which may find thousands of conflicts;
// they become a dictionary only if a program asks for it.
import Foundation

/// Values of attributes and the identifiers of to-one destinations by name, `NSNull` for nil.
struct ConflictSnapshot {
    private enum Content {
        case dictionary([String: Any])
        case values(ObjectLayout, [Entry])
    }

    /// The value of one slot.
    private enum Entry {
        case attribute(Value)
        case destination(NSManagedObjectID?)
        /// A property that snapshots do not have.
        case none
    }

    private let content: Content

    init(_ dictionary: [String: Any]) { content = .dictionary(dictionary) }

    /// The values of an object's slots as `value` returns them.
    init(_ object: NSManagedObject, _ value: (Int) -> Value) {
        let layout = object.layout
        let entries = layout.slots.enumerated().map { slot, description -> Entry in
            guard description.isStored else { return .none }
            switch description.kind {
            case .attribute: return .attribute(value(slot))
            // Now, as a save gives a new object another identifier.
            case .toOne: return .destination(object.identifier(of: value(slot)))
            case .toMany, .fetched: return .none
            }
        }
        content = .values(layout, entries)
    }

    /// The values by name; made at each call.
    var dictionary: [String: Any] {
        switch content {
        case .dictionary(let dictionary): return dictionary
        case .values(let layout, let entries):
            var result: [String: Any] = Dictionary(minimumCapacity: entries.count)
            for (description, entry) in zip(layout.slots, entries) {
                switch entry {
                case .attribute(let value):
                    result[description.name] = value.publicAttribute(description.type) ?? NSNull()
                case .destination(let identifier): result[description.name] = identifier ?? NSNull()
                case .none: continue
                }
            }
            return result
        }
    }
}

extension NSManagedObject {
    /// The current values.
    func currentSnapshot() -> ConflictSnapshot { ConflictSnapshot(self, currentValue) }

    /// The values as last read or saved; nil for a new object.
    func committedSnapshot() -> ConflictSnapshot? {
        state.contains(.inserted) ? nil : ConflictSnapshot(self, committedValue)
    }

    /// The identifier of a to-one relationship's destination.
    fileprivate func identifier(of destination: Value) -> NSManagedObjectID? {
        switch destination {
        case .object(let object):
            return object.objectID
        case .reference(let key):
            guard let coordinator = registry?.coordinator else { return nil }
            return NSManagedObjectID(
                layout: coordinator.compiledModel.layouts[Int(key.entity)],
                key: key,
                store: coordinator.store(at: key.store)
            )
        default:
            return nil
        }
    }
}
