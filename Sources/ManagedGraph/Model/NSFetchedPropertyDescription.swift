import Foundation

/// The description of a property whose value is the result of a fetch request.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    /// The request; `$FETCH_SOURCE` in its predicate is the object, `$FETCHED_PROPERTY` this description.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        willSet { requireEditable(isEditable, "the request of fetched property \(name)") }
    }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSFetchedPropertyDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        guard let copy = copy as? NSFetchedPropertyDescription else { return }
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
    }
}
