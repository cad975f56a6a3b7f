// Transformable attributes to and from bytes. Called when a cell is read and when a row is written. The default is
// Apple's: a keyed archive.
import Foundation

/// Archives and unarchives the values of transformable attributes.
enum Transforming {
    /// The value of stored bytes; null where they cannot be read.
    static func value(from data: Data, slot: Slot) -> Value {
        // Old archives name classes this process may not have; such a value reads as nil and its bytes stay.
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return .null }
        unarchiver.requiresSecureCoding = false
        let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        unarchiver.finishDecoding()
        return object.map { .any(AnyBox($0)) } ?? .null
    }

    /// The bytes of a value.
    ///
    /// Throws where the value cannot be archived.
    static func data(from value: Any, slot: Slot, entity: String) throws -> Data {
        guard let object = value as? any NSCoding ?? (value as AnyObject) as? any NSCoding else {
            throw CoreDataError.make(
                NSManagedObjectValidationError,
                "\(entity).\(slot.name) is transformable, but \(type(of: value)) cannot be archived.",
                remedy: "Adopt NSSecureCoding, or store the value as Data."
            )
        }
        return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }
}
