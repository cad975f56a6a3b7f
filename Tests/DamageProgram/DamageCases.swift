// The interface of the two kinds of cases. Used by main.swift.

/// Cases of damage to files of one kind.
protocol DamageCases {
    /// Uses one damaged copy.
    ///
    /// - Parameter number: Determines the file and its damage.
    /// - Returns: The outcome, in one word, and the file.
    /// - Throws: An error that the reader of the file must not throw.
    func run(_ number: Int) throws -> String
}
