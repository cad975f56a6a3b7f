// Fetched properties: a stored request that stands for an array of objects. Called by key-value coding and accessors.
import Foundation
import GraphPredicates

extension NSManagedObject {
    /// The objects of a fetched property; `$FETCH_SOURCE` is this object.
    ///
    /// They are fetched once and kept until the object is refreshed.
    func fetchedPropertyValue(_ number: Int) -> Any? {
        prepareToRead(number)
        if case .any(let box)? = edits?.values[number] { return box.value }
        let slot = layout.slots[number]
        guard let description = slot.property as? NSFetchedPropertyDescription,
            let template = description.fetchRequest, let context = registry?.context
        else { return [NSManagedObject]() }
        let request = NSFetchRequest<NSManagedObject>()
        template.copyContents(to: request)
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self,
            "FETCHED_PROPERTY": description,
        ])
        do {
            let objects = try context.fetch(request)
            ensureEdits().values[number] = .any(AnyBox(objects))
            state.insert(.holding)
            return objects
        } catch {
            context.noteFailedRead(of: "\(layout.name).\(slot.name)", error)
            return [NSManagedObject]()
        }
    }
}

extension NSManagedObject: IdentityComparable, KeyEnumerable {
    /// The names of the object's properties, for `ANYKEY`.
    package final var readableKeys: [String] { layout.slots.map(\.name) }

    /// An object and its identifier are equal in predicates.
    package final var comparableIdentity: AnyHashable { AnyHashable(objectID) }
}

// Foundation's collections set a value of all their objects.
extension NSManagedObject: KeyValueWritable {}

extension NSManagedObjectID: IdentityComparable {
    package var comparableIdentity: AnyHashable { AnyHashable(self) }
}
