// The class of tasks in the tests of results controllers.
import Foundation
import ManagedGraph

final class ResultTask: NSManagedObject {}
