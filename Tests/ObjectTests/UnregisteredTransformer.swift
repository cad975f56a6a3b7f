// A transformer that a model names and that is not registered.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class UnregisteredTransformer: ValueTransformer {}
