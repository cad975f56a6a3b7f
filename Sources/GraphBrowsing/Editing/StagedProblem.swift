// A rule of the model that a staged change violates. Created by StagedEdits.

/// A reason why changes cannot be saved.
public struct StagedProblem: Codable, Sendable, Hashable {
    /// The object; nil if the problem concerns no single one.
    public var link: ObjectLink?
    /// The property.
    public var property: String?
    /// The violated rule, in one sentence.
    public var message: String
    /// The remedy.
    public var remedy: String?
    /// Apple's code of the error.
    public var code: Int
}
