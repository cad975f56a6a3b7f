// A task of the task manager's model, which records its callbacks.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A task, handwritten like a generated class.
final class TestTask: NSManagedObject {
    enum Keys {
        static let text = ManagedProperty("text")
        static let priority = ManagedProperty("priority")
        static let dueDate = ManagedProperty("dueDate")
        static let location = ManagedProperty("location")
        static let weight = ManagedProperty("weight")
    }
    static let textKey = "text"

    var weight: Double {
        get { managedValue(for: Keys.weight) }
        set { setManagedValue(newValue, for: Keys.weight) }
    }
    var text: String? {
        get { managedValue(for: Keys.text) }
        set { setManagedValue(newValue, for: Keys.text) }
    }
    var priority: Int16 {
        get { managedValue(for: Keys.priority) }
        set { setManagedValue(newValue, for: Keys.priority) }
    }
    var dueDate: Date? {
        get { managedValue(for: Keys.dueDate) }
        set { setManagedValue(newValue, for: Keys.dueDate) }
    }
    var location: TestLocation? {
        get { managedValue(for: Keys.location) }
        set { setManagedValue(newValue, for: Keys.location) }
    }
    /// The callbacks in order.
    var calls: [String] = []
    override func awakeFromInsert() { calls.append("awakeFromInsert") }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { calls.append("awake \(flags.rawValue)") }
    override func awakeFromFetch() { calls.append("awakeFromFetch") }
    var onWillSave: ((TestTask) -> Void)?
    override func willSave() {
        calls.append("willSave")
        onWillSave?(self)
    }
    override func didSave() { calls.append("didSave") }
    override func willTurnIntoFault() { calls.append("willTurnIntoFault \(primitiveValue(forKey: "text") ?? "nil")") }
    override func didTurnIntoFault() { calls.append("didTurnIntoFault") }
    override func prepareForDeletion() { calls.append("prepareForDeletion") }
    override func validateForInsert() throws {
        try super.validateForInsert()
        if priority == 9 { throw NSError(domain: "test", code: 9) }
    }
}
