import CoreData
import Foundation
import Money

/// A handwritten class ("Manual/None").
public class Loan: NSManagedObject {
    /// The date by which the book must be returned.
    @NSManaged public var dueDate: Date?
    @NSManaged private var primitiveDueDate: Date?
    /// The place of reading.
    @NSManaged public var kind: LoanKind
    /// A note on the loan.
    @NSManaged public private(set) var note: String?
    /// The lent book.
    @NSManaged public var book: Book?
    /// Loans that belong to this one.
    @NSManaged public var parts: Set<Loan>
    /// The loan that this one belongs to.
    @NSManaged public var whole: Loan!

    /// Adds a part.
    @NSManaged public func addToParts(_ value: Loan)
    /// Removes a part.
    @NSManaged public func removeFromParts(_ value: Loan)
    @NSManaged func primitiveNote() -> String?

    /// The class of an entity, by its name.
    public static func type(of entity: NSEntityDescription) -> AnyClass? {
        NSClassFromString(entity.managedObjectClassName)
    }

    /// A day in seconds.
    public static let day: TimeInterval = 86_400

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveDueDate = Date(timeIntervalSinceNow: 3 * Self.day)
    }

    /// Implements the model's transient attribute.
    public var isOverdue: Bool { (dueDate ?? .distantFuture) < Date() }

    /// Not in the model, but accessible to key-value coding.
    public var label: String { "\(book?.title ?? "?"): \(note ?? "")" }

    /// Sets the note, followed by an exclamation mark.
    ///
    /// - Parameter text: The note.
    public func annotate(_ text: String) {
        note = text
        note?.append("!")
    }

    @nonobjc func validateDueDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let date = value.pointee as? Date, date < Date(timeIntervalSinceNow: -Self.day) else { return }
        let text = "Due date must be today or later"
        throw NSError(domain: "com.example.Shelf", code: 1001, userInfo: ["ErrorString": text])
    }

    func validateNote(_ value: String?) throws {
        if value == "bad!" { throw NSError(domain: "com.example.Shelf", code: 1002) }
    }
}
