// A construct in a code base that does not compile outside Apple platforms. Created by the rules, printed by
// `managedgraph port`.

/// A position in a file.
package struct Finding: Sendable, Hashable {
    /// The path as given by the user.
    package var file: String
    /// The line number, starting at 1.
    package var line: Int
    /// The column in characters, starting at 1.
    package var column: Int
    /// The name of the rule, as in `Documentation/Porting.md`.
    package var rule: String
    /// The construct, and the reason why it does not compile.
    package var message: String
    /// The change made, or the change to make by hand.
    package var remedy: String
    /// Whether the rewritten text no longer contains the construct.
    package var isFixed: Bool
}
