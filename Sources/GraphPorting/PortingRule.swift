// The protocol of rules. Each rule has a file in Rules/; Porter runs them in the order of its list.
import SwiftSyntax

/// Finds one kind of construct that does not compile outside Apple platforms.
protocol PortingRule {
    /// Examines all files of a module.
    ///
    /// - Parameters:
    ///   - files: The files without syntax errors.
    ///   - index: Their declarations.
    static func run(on files: [PortingFile], index: CodeIndex)
}
