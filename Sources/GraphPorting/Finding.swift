// What a code base has that does not compile off Apple's platforms. Made by the rules, printed by `managedgraph port`.

/// One place in one file.
package struct Finding: Sendable, Hashable {
    /// As the file was given.
    package var file: String
    /// From 1.
    package var line: Int
    /// Characters before it in its line, plus 1.
    package var column: Int
    /// The name of the rule, as in `Documentation/Porting.md`.
    package var rule: String
    /// What it is, and why it does not compile.
    package var message: String
    /// What was done, or what is to be done by hand.
    package var remedy: String
    /// Whether the rewritten text has it no more.
    package var isFixed: Bool
}
