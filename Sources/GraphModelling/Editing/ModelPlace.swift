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

    var description: String {
        if let request { return "the fetch request \(request)" }
        if let configuration { return "the configuration \(configuration)" }
        return [entity, property, element].compactMap(\.self).joined(separator: ".")
    }
}
