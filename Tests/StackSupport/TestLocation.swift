// A location of the task manager's model.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph

final class TestLocation: NSManagedObject {
    enum Keys {
        static let name = ManagedProperty("name")
        static let tasks = ManagedProperty("tasks")
    }
    var name: String? {
        get { managedValue(for: Keys.name) }
        set { setManagedValue(newValue, for: Keys.name) }
    }
    var tasks: NSSet? {
        get { managedValue(for: Keys.tasks) }
        set { setManagedValue(newValue, for: Keys.tasks) }
    }
}
