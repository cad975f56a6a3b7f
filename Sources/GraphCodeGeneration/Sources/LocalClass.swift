// A class that only its function can name. Found by LocalClassReader, reported by TargetGenerator.

/// A class that is declared in a body.
package struct LocalClass: Hashable, Sendable {
    var name: String
    var location: SourceLocation
    /// Whether it is inside an `#if` whose condition the generator cannot decide.
    var isConditional: Bool
}
