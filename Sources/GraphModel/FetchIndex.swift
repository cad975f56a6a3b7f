// A fetch index of an entity, as a value. Part of `Entity`.

/// The named elements by which a store indexes an entity.
package struct FetchIndex: Sendable, Hashable {
    package var name: String
    package var elements: [FetchIndexElement]
    package var partialPredicateFormat: String?

    package init(name: String, elements: [FetchIndexElement], partialPredicateFormat: String? = nil) {
        self.name = name
        self.elements = elements
        self.partialPredicateFormat = partialPredicateFormat
    }
}
