// A managed object class that a model names together with its module. Used by ModelTests.
import Foundation
import GraphModel
import ManagedGraph
import Testing

final class NamedInModule: NSManagedObject {}
