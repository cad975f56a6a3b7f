// The rules of a task, as one writes them on any platform. The properties come from the model.
import CoreData
import Foundation

/// A thing to do.
public class Task: NSManagedObject {
    @NSManaged var primitiveDueDate: Date?

    /// A new task is due three days ahead.
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveDueDate = Date(timeIntervalSinceNow: 3 * 24 * 60 * 60)
    }

    /// Whether the due date is over: transient in the model, computed here.
    public var isOverdue: Bool {
        guard let dueDate else { return false }
        return dueDate < Date()
    }

    /// Fails for a date in the past.
    ///
    /// - Parameter value: the date proposed.
    /// - Throws: code 1001 in `TaskRules.domain`.
    public func validateDueDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let date = value.pointee as? Date, date < Date() else { return }
        throw TaskRules.error(1001, "Due date must be today or later")
    }

    /// The model's rules, then this class's own.
    ///
    /// - Throws: the first rule that is broken.
    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validateHighPriority()
    }

    /// The model's rules, then this class's own.
    ///
    /// - Throws: the first rule that is broken.
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

/// What the rules' errors have in common.
enum TaskRules {
    static let domain = "com.Wrox.Tasks"

    static func error(_ code: Int, _ text: String) -> NSError {
        NSError(domain: domain, code: code, userInfo: ["ErrorString": text, NSLocalizedDescriptionKey: text])
    }
}

/// A task's priority in words.
enum Priority: Int16, CaseIterable {
    case none = 0
    case low = 1
    case medium = 2
    case high = 3

    var title: String {
        switch self {
        case .none: "None"
        case .low: "Low"
        case .medium: "Medium"
        case .high: "High"
        }
    }
}
