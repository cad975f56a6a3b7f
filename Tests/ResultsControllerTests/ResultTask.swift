// A store of tasks in locations, and delegates that record their notifications. Beside `ResultsStack`.
import Foundation
import ManagedGraph

final class ResultTask: NSManagedObject {}
