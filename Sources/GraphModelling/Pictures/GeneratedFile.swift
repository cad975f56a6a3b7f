// A generated source file as an editor shows it. Part of EntityAnalysis.

/// A file of a generated class.
public struct GeneratedFile: Sendable, Hashable, Codable {
    /// The file's name.
    public var name: String
    /// The Swift source.
    public var text: String
}
