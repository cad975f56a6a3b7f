// Finds value transformers by their names.
import Foundation

/// Lets `ValueTransformer(forName:)` return a registered transformer.
public protocol ValueTransformerFinding {}

extension ValueTransformerFinding where Self: ValueTransformer {
    /// Finds the transformer of a name: a registered or built-in one, or a new one of the class with this name.
    ///
    /// The module of a class's name may be omitted.
    ///
    /// - Parameter name: The name.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformer.find(name.rawValue) as? Self else { return nil }
        self = transformer
    }
}
