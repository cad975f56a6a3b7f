// All unsaved changes of a reader. Created by StagedEdits.

/// The staged changes of a reader.
public struct StagedState: Codable, Sendable {
    /// The changed objects: new ones first, deleted ones last.
    public var changes: [StagedChange]
    /// The violated rules.
    public var problems: [StagedProblem]
    /// The conflicts that the last save met.
    public var conflicts: [StagedConflict]
    /// Whether an edit can be undone.
    public var canUndo: Bool
    /// Whether an edit can be redone.
    public var canRedo: Bool
    /// The names of the objects that the last edits inserted.
    public var created: [String]
    /// Whether the last call saved the changes.
    public var isSaved: Bool
}
