import Foundation

/// The description of a property whose value is the result of a fetch request.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    /// The request; `$FETCH_SOURCE` in its predicate is the object, `$FETCHED_PROPERTY` this description.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        willSet { requireEditable(isEditable, "the request of fetched property \(name)") }
    }

    /// The name that a model file gives the request.
    final var requestName: String?

    /// Makes a fetched property without a request.
    public override init() {
        super.init()
        readOnlyMark = true
    }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSFetchedPropertyDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        guard let copy = copy as? NSFetchedPropertyDescription else { return }
        copy.requestName = requestName
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
    }
}
