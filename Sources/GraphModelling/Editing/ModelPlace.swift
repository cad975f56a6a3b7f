// Names a part of a model. Sent by pages that edit models, and reported with problems.

/// A part of a model, named by the entity, property, request or configuration.
public struct ModelPlace: Sendable, Hashable, Codable {
    /// The entity.
    public var entity: String?
    /// A property of the entity.
    public var property: String?
    /// An element of a composite attribute; elements of elements by their path, as `street.number`.
    public var element: String?
    /// A fetch request template.
    public var request: String?
    /// A configuration.
    public var configuration: String?

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - property: A property of the entity.
    ///   - element: An element of a composite attribute; elements of elements by their path, as `street.number`.
    ///   - request: A fetch request template.
    ///   - configuration: A configuration.
    public init(
        entity: String? = nil,
        property: String? = nil,
        element: String? = nil,
        request: String? = nil,
        configuration: String? = nil
    ) {
        self.entity = entity
        self.property = property
        self.element = element
        self.request = request
        self.configuration = configuration
    }

    /// The names of an element of a composite attribute and of those around it, the outermost first.
    var elementPath: [String] { element?.split(separator: ".").map(String.init) ?? [] }

    /// The place around an element, and the element's name in it; nil if the place names no element.
    var splitElement: (parent: ModelPlace, name: String)? {
        let path = elementPath
        guard let name = path.last else { return nil }
        var parent = self
        parent.element = path.count > 1 ? path.dropLast().joined(separator: ".") : nil
        return (parent, name)
    }

    var description: String {
        if let request { return "the fetch request \(request)" }
        if let configuration { return "the configuration \(configuration)" }
        return [entity, property, element].compactMap(\.self).joined(separator: ".")
    }
}
