// A managed object of a later version. Used by ManagerModels.
import ManagedGraph

/// A place of version 2.
final class VisitedPlace: NSManagedObject {}
