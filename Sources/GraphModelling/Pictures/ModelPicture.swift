// A model as values, for pages that display it. Created by ModelSession.

/// A model with its versions, its problems and the state of the session.
public struct ModelPicture: Sendable, Hashable, Codable {
    /// The path of the model.
    public var file: String
    /// The model's name.
    public var title: String
    /// The version that is shown.
    public var version: String
    /// All versions, sorted by name.
    public var versions: [VersionPicture]
    /// The reason why the model cannot be edited, with the remedy; nil if it can.
    public var readOnlyReason: String?
    /// A number that grows with every change of the session.
    public var revision: Int
    /// Whether `entities` contains only those that changed since the requested revision.
    public var isPartial: Bool
    /// The names of all entities, in the order of the file.
    public var entityNames: [String]
    /// The entities.
    public var entities: [EntityPicture]
    /// The fetch request templates.
    public var requests: [RequestPicture]
    /// The configurations.
    public var configurations: [ConfigurationPicture]
    /// The names of the composite types.
    public var composites: [String]
    /// The positions in the file; empty if the file has none.
    public var positions: [CardPosition]
    /// The settings of the whole model.
    public var settings: ModelSettings
    /// The problems of the version.
    public var problems: [ProblemPicture]
    /// The title of the change that undo reverts; nil if there is none.
    public var undoTitle: String?
    /// The title of the change that redo repeats; nil if there is none.
    public var redoTitle: String?
    /// Whether a save would write a file.
    public var isChanged: Bool
    /// The checksum of the version, as in Xcode's build log and in stores.
    public var checksum: String
}
