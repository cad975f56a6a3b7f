// The validation rules of a task, written as on any platform. The properties are generated from the model.
import CoreData
import Foundation

/// A thing to do.
public class Task: NSManagedObject {
    @NSManaged var primitiveDueDate: Date?
    /// The date of a deleted task that was brought back; it may have passed, as a saved one may.
    private var restoredDueDate: Date?

    /// A new task is due three days ahead.
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveDueDate = Date(timeIntervalSinceNow: 3 * 24 * 60 * 60)
    }

    /// Accepts the date of a deleted task that undoing brings back.
    public override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        if flags.contains(.undoDeletion) { restoredDueDate = dueDate }
    }

    /// Whether the due date has passed: transient in the model, computed here.
    public var isOverdue: Bool {
        guard let dueDate else { return false }
        return dueDate < Date()
    }

    /// Rejects a date in the past, unless it is the saved or the restored one: an overdue task can still be edited, and
    /// its deletion undone.
    ///
    /// - Parameter value: The proposed date.
    /// - Throws: Code 1001 in `TaskRules.domain`.
    public func validateDueDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let date = value.pointee as? Date, date < Date() else { return }
        guard committedValues(forKeys: ["dueDate"])["dueDate"] as? Date != date, restoredDueDate != date else { return }
        throw TaskRules.error(1001, "Due date must be today or later")
    }

    /// Checks the model's rules, then those of this class.
    ///
    /// - Throws: The error of the first violated rule.
    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validateHighPriority()
    }

    /// Checks the model's rules, then those of this class.
    ///
    /// - Throws: The error of the first violated rule.
    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateHighPriority()
    }

    private func validateHighPriority() throws {
        guard priority == Priority.high.rawValue, let dueDate,
            dueDate > Date(timeIntervalSinceNow: 3 * 24 * 60 * 60)
        else { return }
        throw TaskRules.error(1002, "Hi-pri tasks must have a due date within two days of today")
    }
}
