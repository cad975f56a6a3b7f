import Foundation

/// Whether scalars are their own normal forms, read in the order of the scalars.
struct NormalForms {
    private let scalars: [Unicode.Scalar]
    private let isDecomposed: [Bool]
    private let isPrecomposed: [Bool]
    private var index = 0

    /// Finds the forms of all scalars at once: Foundation takes twenty times longer for as many texts.
    ///
    /// - Parameter scalars: Scalars but U+0000, in any order.
    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        // No mark changes its place across a U+0000, and none is composed with it.
        var text = ""
        for scalar in scalars {
            text.unicodeScalars.append(scalar)
            text.unicodeScalars.append("\0")
        }
        isDecomposed = Self.unchanged(scalars, in: text.decomposedStringWithCanonicalMapping)
        isPrecomposed = Self.unchanged(scalars, in: text.precomposedStringWithCanonicalMapping)
    }

    /// The scalars that are alone before their U+0000.
    private static func unchanged(_ scalars: [Unicode.Scalar], in text: String) -> [Bool] {
        var folded = text.unicodeScalars.makeIterator()
        return scalars.map { scalar in
            var isUnchanged = folded.next() == scalar
            while let more = folded.next(), more != "\0" { isUnchanged = false }
            return isUnchanged
        }
    }

    /// Returns the forms of a scalar if it is the next one of the list, and nil otherwise.
    mutating func next(_ scalar: Unicode.Scalar) -> (isDecomposed: Bool, isPrecomposed: Bool)? {
        guard index < scalars.count, scalars[index] == scalar else { return nil }
        defer { index += 1 }
        return (isDecomposed[index], isPrecomposed[index])
    }
}
