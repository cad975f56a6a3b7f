// The output of TargetGenerator.

/// The generated files and messages of a target.
package struct GeneratedTarget: Sendable {
    /// The text of each file, by name.
    package var files: [String: String]
    package var messages: [GenerationMessage]

    /// Whether the build must stop.
    package var hasErrors: Bool { messages.contains { $0.severity == .error } }
}
