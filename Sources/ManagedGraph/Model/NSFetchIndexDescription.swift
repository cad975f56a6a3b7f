import Foundation

/// The description of an index of a store, made for the fetches of one entity.
// Sendable: written only while the model is being built; read-only once a coordinator uses it.
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
    package final var isEditable = true

    /// The name of the index, unique within its entity.
    open var name: String {
        willSet { requireEditable(isEditable, "the name of index \(name)") }
    }
    /// The columns of the index, in order.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { requireEditable(isEditable, "the elements of index \(name)") }
        didSet { adoptElements() }
    }
    /// A predicate for the rows in the index; nil for all rows.
    open var partialIndexPredicate: NSPredicate? {
        willSet { requireEditable(isEditable, "the predicate of index \(name)") }
    }
    /// The entity that declares the index.
    open internal(set) weak var entity: NSEntityDescription?

    /// Makes an index.
    ///
    /// - Parameters:
    ///   - name: Its name, unique within its entity.
    ///   - elements: Its columns, in order.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        adoptElements()
    }

    /// Copies the index with its elements; the copy belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(
            name: name,
            elements: elements.compactMap { $0.copy(with: zone) as? NSFetchIndexElementDescription }
        )
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    private func adoptElements() {
        for element in elements { element.indexDescription = self }
    }

    final func freeze() {
        isEditable = false
        for element in elements { element.isEditable = false }
    }
}
