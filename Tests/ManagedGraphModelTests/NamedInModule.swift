// Used with `ModelTests`.
import Foundation
import GraphModel
import ManagedGraph
import Testing

final class NamedInModule: NSManagedObject {}
