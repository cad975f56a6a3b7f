// A managed object class that a model names together with its module. Used by ModelTests.
import ManagedGraph

final class NamedSlowly: NSManagedObject {}
