// Managed object classes that a model names together with their module. Used by ModelTests.
import Foundation
import GraphModel
import ManagedGraph
import Testing

final class NamedInModule: NSManagedObject {}
final class NamedSlowly: NSManagedObject {}
