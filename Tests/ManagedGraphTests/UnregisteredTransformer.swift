// Transformable attributes: their transformers, by name and by default, and values that cannot be transformed. Beside
// `Transformables`.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class UnregisteredTransformer: ValueTransformer {}
