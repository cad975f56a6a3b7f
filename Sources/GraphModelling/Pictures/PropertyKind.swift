// The kinds of properties that an editor distinguishes. Part of PropertyPicture and ModelEdit.

/// The kinds of properties.
public enum PropertyKind: String, Sendable, Hashable, Codable, CaseIterable {
    case attribute
    case relationship
    case fetched
}
