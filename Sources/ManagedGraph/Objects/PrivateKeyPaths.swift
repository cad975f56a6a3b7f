// The names of key paths of attributes that are private to their file: generated code cannot refer to them, so the lists of
// the classes lack them. Used by KeyPathNames.
import Foundation

/// Finds the attribute that a key path reads by setting one after the other.
enum PrivateKeyPaths {
    /// The name of the attribute that a key path reads, among those that the list of the class lacks.
    ///
    /// O(attributes that the list lacks).
    ///
    /// - Parameters:
    ///   - keyPath: The key path.
    ///   - type: A class that has the property.
    ///   - entity: The entity of the class.
    ///   - listed: The names of the class's list.
    /// - Returns: The name; nil if the path reads no such attribute, or something that is computed from one.
    static func name(
        of keyPath: AnyKeyPath,
        in type: NSManagedObject.Type,
        _ entity: NSEntityDescription,
        listed: Set<String>
    ) -> String? {
        let attributes = entity.attributesByName.filter { !listed.contains($0.key) }.sorted { $0.key < $1.key }
        for (name, attribute) in attributes {
            let samples = samples(of: attribute.attributeType)
            let object = type.init(entity: entity, insertInto: nil)
            // More than one, because another attribute may have a sample as its default value.
            let isRead = samples.allSatisfy { sample in
                object.setPrimitiveValue(sample, forKey: name)
                let value = (object as Any)[keyPath: keyPath].flatMap { flatten($0) }
                return value as? AnyHashable == sample
            }
            if isRead, !samples.isEmpty { return name }
        }
        return nil
    }

    /// Two values of a type; none for a type whose values cannot be compared.
    private static func samples(of type: NSAttributeType) -> [AnyHashable] {
        switch type {
        case .stringAttributeType: [" aB ", " bA "]
        case .integer16AttributeType: [Int16(1), Int16(2)]
        case .integer32AttributeType: [Int32(1), Int32(2)]
        case .integer64AttributeType: [Int64(1), Int64(2)]
        case .doubleAttributeType: [1.0, 2.0]
        case .floatAttributeType: [Float(1), Float(2)]
        case .decimalAttributeType: [NSDecimalNumber(value: 1), NSDecimalNumber(value: 2)]
        case .booleanAttributeType: [true, false]
        case .dateAttributeType: [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)]
        case .binaryDataAttributeType: [Data([1]), Data([2])]
        case .UUIDAttributeType: [UUID(), UUID()]
        case .URIAttributeType: [URL(fileURLWithPath: "/1"), URL(fileURLWithPath: "/2")]
        default: []
        }
    }
}
