// The parsers of untrusted input that fuzzing calls. FuzzProgram runs one of them with libFuzzer; FuzzTargetTests runs all
// of them on their seeds and on damaged copies.
import Foundation

/// A parser of untrusted input.
package struct FuzzTarget: Sendable {
    /// The name in commands and folders.
    package let name: String
    /// The dictionary in Fuzzing/Dictionaries, if its words help.
    package let dictionary: String?
    /// Files to begin with.
    package let seeds: @Sendable () throws -> [Data]
    /// Passes bytes to the parser; traps if it breaks an invariant.
    ///
    /// An error that rejects the bytes is not a failure.
    package let read: @Sendable (Data) -> Void

    init(
        _ name: String,
        dictionary: String? = nil,
        seeds: @escaping @Sendable () throws -> [Data],
        read: @escaping @Sendable (Data) -> Void
    ) {
        self.name = name
        self.dictionary = dictionary
        self.seeds = seeds
        self.read = read
    }

    /// All parsers.
    package static let all: [FuzzTarget] = formats + models + lists + stores + exchanges

    /// Inputs at which this parser has failed before: the files in Fuzzing/Failures/NAME.
    package func failures() throws -> [Data] { try SeedFiles.failures(name) }

    /// The parser with a name.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
