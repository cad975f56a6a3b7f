// Converts transformable attributes to and from bytes when a row is written or a cell is read. Without a transformer
// name, the transformation is Apple's default: a keyed archive.
import Foundation
import GraphArchives

/// Transforms the values of transformable attributes.
enum Transforming {
    /// The value of stored bytes; an `UnreadableValue` if they cannot be read.
    static func value(from data: Data, slot: Slot) -> Value {
        guard let name = slot.transformerName, !name.isEmpty else {
            return boxed(Archive.value(of: data, allowed: nil), data, slot, "no class of its archive may be missing")
        }
        guard let transformer = ValueTransformer.find(name) else { return boxed(nil, data, slot, missing(name)) }
        let value =
            isReversed(transformer) ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
        return boxed(value, data, slot, "the transformer \(name) makes nothing of it")
    }

    private static func boxed(_ value: Any?, _ data: Data, _ slot: Slot, _ reason: String) -> Value {
        if let value, !(value is NSNull) { return .any(AnyBox(value)) }
        Diagnosis.warnOnce(
            slot,
            "A stored value of \(slot.property.owner?.name ?? "").\(slot.name) cannot be read: \(reason). "
                + "It shows as nil, and its bytes stay until the property is set."
        )
        return .any(AnyBox(UnreadableValue(data)))
    }

    /// The bytes of a value.
    ///
    /// Throws if the value cannot be transformed.
    static func data(from value: Any, slot: Slot, entity: String) throws -> Data {
        if let unreadable = value as? UnreadableValue { return unreadable.stored }
        if slot.refusesAny {
            throw CoreDataError.make(
                NSManagedObjectValidationError,
                "\(entity).\(slot.name) cannot hold \(value), a value of type \(type(of: value)): "
                    + "the model says \(ValueTypeCheck.expectation(of: slot.type))",
                remedy: "Give \(slot.name) a value of that type.",
                userInfo: [NSValidationKeyErrorKey: slot.name, NSValidationValueErrorKey: value]
            )
        }
        let data: Any?
        if let name = slot.transformerName, !name.isEmpty {
            guard let transformer = ValueTransformer.find(name) else {
                throw failure(value, slot, entity, missing(name))
            }
            data =
                isReversed(transformer)
                ? transformer.reverseTransformedValue(flatten(value)) : transformer.transformedValue(value)
        } else {
            // An archive holds the raw value of an enumeration.
            data = flatten(value).flatMap { Archive.data(of: $0, isSecure: false) }
        }
        if let data = data.flatMap({ Data(of: $0) }) { return data }
        throw failure(
            value,
            slot,
            entity,
            slot.transformerName.map { "The transformer \($0) makes no data of it." }
                ?? "Adopt NSSecureCoding, name a transformer in the model, or store the value as Data."
        )
    }

    /// Whether `transformedValue` converts data to values, and not the other way round.
    private static func isReversed(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer || transformer is UnarchivingTransformer
    }

    private static func missing(_ name: String) -> String {
        "There is no value transformer named \(name). Register it with "
            + "ValueTransformer.setValueTransformer(_:forName:) before the store is used."
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
