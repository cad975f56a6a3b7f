// Transformable attributes to and from bytes. Called when a cell is read and when a row is written. Without a name the
// transformation is Apple's default: a keyed archive.
import Foundation

/// Transforms the values of transformable attributes.
enum Transforming {
    /// The value of stored bytes; null where they cannot be read, which leaves them as they are.
    static func value(from data: Data, slot: Slot) -> Value {
        guard let name = slot.transformerName, !name.isEmpty else {
            return boxed(Archive.value(of: data, allowed: nil), slot)
        }
        guard let transformer = ValueTransformer.find(name) else {
            Diagnosis.log.error("\(slot.name) cannot be read: \(missing(name))")
            return .null
        }
        let value =
            isReversed(transformer) ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
        return boxed(value, slot)
    }

    private static func boxed(_ value: Any?, _ slot: Slot) -> Value {
        guard let value, !(value is NSNull) else {
            Diagnosis.log.warning("A stored value of \(slot.name) cannot be read and shows as nil; its bytes stay.")
            return .null
        }
        return .any(AnyBox(value))
    }

    /// The bytes of a value.
    ///
    /// Throws where the value cannot be transformed.
    static func data(from value: Any, slot: Slot, entity: String) throws -> Data {
        let data: Any?
        if let name = slot.transformerName, !name.isEmpty {
            guard let transformer = ValueTransformer.find(name) else {
                throw failure(value, slot, entity, missing(name))
            }
            data =
                isReversed(transformer)
                ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
        } else {
            data = Archive.data(of: value, isSecure: false)
        }
        if let data = data as? Data { return data }
        throw failure(
            value,
            slot,
            entity,
            slot.transformerName.map { "The transformer \($0) makes no data of it." }
                ?? "Adopt NSSecureCoding, name a transformer in the model, or store the value as Data."
        )
    }

    /// Whether values are what the transformer makes of data, and not the other way round.
    private static func isReversed(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer || transformer is UnarchivingTransformer
    }

    private static func missing(_ name: String) -> String {
        "There is no value transformer named \(name). Register it with ValueTransformer.setValueTransformer(_:forName:) "
            + "before the store is used."
    }

    private static func failure(_ value: Any, _ slot: Slot, _ entity: String, _ remedy: String) -> NSError {
        CoreDataError.make(
            NSManagedObjectValidationError,
            "\(entity).\(slot.name) is transformable, but its \(type(of: value)) cannot be stored.",
            remedy: remedy,
            userInfo: [NSValidationKeyErrorKey: slot.name, NSValidationValueErrorKey: value]
        )
    }
}
