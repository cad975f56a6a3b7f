// Generates a value of an attribute: the first candidate that satisfies the attribute's rules. Used by
// GeneratedObjects.
import Foundation
import ManagedGraph

enum GeneratedValue {
    /// A value for the object with the given number.
    ///
    /// - Returns: Nil if the type has no candidates, or if none satisfies the rules.
    static func value(of attribute: NSAttributeDescription, number: Int) -> Any? {
        if let composite = attribute as? NSCompositeAttributeDescription {
            var elements: [String: Any] = [:]
            for element in composite.elements {
                if let value = value(of: element, number: number) { elements[element.name] = value }
            }
            return elements
        }
        let validator = PropertyValidator(attribute)
        return candidates(attribute.attributeType, number).first { validator.error(for: $0, of: nil) == nil }
    }

    private static func candidates(_ type: NSAttributeType, _ number: Int) -> [Any] {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return integers(number)
        case .decimalAttributeType:
            return [Decimal(number) + Decimal(25) / 100] + integers(number).map { Decimal($0) }
        case .doubleAttributeType, .floatAttributeType:
            return [Double(number) + 0.5, Double(number) / 100] + integers(number).map(Double.init)
        case .booleanAttributeType: return [number.isMultiple(of: 2), true, false]
        case .stringAttributeType: return texts(number)
        case .dateAttributeType:
            let days = [0, 20 * 365, 9_000, -20 * 365, 50 * 365, -60 * 365]
            return days.map { Date(timeIntervalSinceReferenceDate: Double($0 + number) * 86_400 + 0.5) }
        case .binaryDataAttributeType: return [Data([UInt8(truncatingIfNeeded: number), 0, 255])]
        case .UUIDAttributeType:
            let byte = UInt8(truncatingIfNeeded: number)
            return [UUID(uuid: (byte, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, byte))]
        case .URIAttributeType: return [URL(string: "https://example.org/\(number)")].compactMap(\.self)
        case .transformableAttributeType: return ["text \(number)" as NSString]
        default: return []
        }
    }

    private static func integers(_ number: Int) -> [Int] {
        [number, number + 1] + [10, 100, 1_000, 10_000, 1_000_000, 1_000_000_000].map { $0 + number } + [0, 1, -number]
            + [-100, -10_000].map { $0 - number }
    }

    /// Texts of many lengths, and in the forms that common patterns require.
    private static func texts(_ number: Int) -> [String] {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let letter = String(letters[letters.index(letters.startIndex, offsetBy: number % letters.count)])
        let forms = [
            "text \(number)", "\(number)", letter, "name\(number)@example.org", "https://example.org/\(number)",
            "+1 555 010 \(1000 + number)", "Text", "TEXT\(number)", "2001-01-\(10 + number % 18)",
            "#0000\(10 + number % 89)",
        ]
        let lengths = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 40, 64, 100, 128, 256, 500, 1_000]
        return forms
            + lengths.map { length in String(String(repeating: letter, count: length).dropLast(1)) + letter.uppercased()
            }
            + lengths.map { String(repeating: "\(number % 10)", count: $0) }
    }
}
