// Reads validation rules of attributes as predicates with Apple's error codes. Called by ContentsReader.readAttribute.
// The counts of relationships are not predicates; validation reads them from Relationship.
import Foundation
import GraphModel

extension ContentsReader {
    mutating func readValidations(_ node: ModelNode, type: AttributeType) -> [ValidationRule] {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            return [
                numberRule(node, "minValueString", ">=", code: 1620),
                numberRule(node, "maxValueString", "<=", code: 1610),
            ].compactMap { $0 }
        case .date:
            return [
                dateRule(node, "minDateTimeInterval", ">=", code: 1640),
                dateRule(node, "maxDateTimeInterval", "<=", code: 1630),
            ].compactMap { $0 }
        case .string:
            return [
                lengthRule(node, "minValueString", ">=", code: 1670),
                lengthRule(node, "maxValueString", "<=", code: 1660),
                patternRule(node),
            ].compactMap { $0 }
        case .undefined, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite:
            return []
        }
    }

    private mutating func numberRule(
        _ node: ModelNode,
        _ attribute: String,
        _ relation: String,
        code: Int
    ) -> ValidationRule? {
        guard let text = node.text(attribute)?.trimmingCharacters(in: .whitespaces) else { return nil }
        guard let number = Self.decimal(text) else {
            report(
                .invalidValue,
                "\(attribute) is \"\(text)\", which is no number and limits nothing. Write one, or take it away."
            )
            return nil
        }
        return ValidationRule(predicateFormat: "SELF \(relation) \(number)", errorCode: code)
    }

    private mutating func lengthRule(
        _ node: ModelNode,
        _ attribute: String,
        _ relation: String,
        code: Int
    ) -> ValidationRule? {
        guard let text = node.text(attribute)?.trimmingCharacters(in: .whitespaces) else { return nil }
        guard let length = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }), length >= 0 else {
            report(
                .invalidValue,
                "\(attribute) is \"\(text)\", which is no length of a string and limits nothing. Write a whole "
                    + "number, or take it away."
            )
            return nil
        }
        return ValidationRule(predicateFormat: "length \(relation) \(length)", errorCode: code)
    }

    private mutating func dateRule(
        _ node: ModelNode,
        _ attribute: String,
        _ relation: String,
        code: Int
    ) -> ValidationRule? {
        guard let seconds = interval(node, attribute) else { return nil }
        let constant = "CAST(\(Self.sixDigits(seconds)), \"NSDate\")"
        return ValidationRule(predicateFormat: "SELF \(relation) \(constant)", errorCode: code)
    }

    private mutating func patternRule(_ node: ModelNode) -> ValidationRule? {
        guard let pattern = node.text("regularExpressionString") else { return nil }
        do {
            _ = try NSRegularExpression(pattern: pattern)
        } catch {
            report(
                .invalidValue,
                "its regular expression \"\(pattern)\" cannot be read and is not checked. Correct it, or take it away."
            )
            return nil
        }
        let escaped = pattern.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return ValidationRule(predicateFormat: "SELF MATCHES \"\(escaped)\"", errorCode: 1680)
    }

    /// Formats six digits after the point, as Apple prints dates in predicates.
    private static func sixDigits(_ seconds: Double) -> String {
        String(format: "%.6f", seconds)
    }
}
