// Reads validation rules of attributes as predicates with Apple's error codes. Called by ContentsReader.readAttribute.
// The counts of relationships are not predicates; validation reads them from Relationship.
import Foundation
import GraphArchives
import GraphModel

extension ContentsReader {
    mutating func readValidations(_ node: ModelNode, type: AttributeType) -> [ValidationRule] {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            return [
                numberRule(node, Limit("minValueString", ">=", code: 1620)),
                numberRule(node, Limit("maxValueString", "<=", code: 1610)),
            ].compactMap { $0 }
        case .date:
            return [
                dateRule(node, Limit("minDateTimeInterval", ">=", code: 1640)),
                dateRule(node, Limit("maxDateTimeInterval", "<=", code: 1630)),
            ].compactMap { $0 }
        case .string:
            return [
                lengthRule(node, Limit("minValueString", ">=", code: 1670)),
                lengthRule(node, Limit("maxValueString", "<=", code: 1660)),
                patternRule(node),
            ].compactMap { $0 }
        case .undefined, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite:
            return []
        }
    }

    /// A limit of values: the attribute of a model file that states it, and its rule.
    private struct Limit {
        let attribute: String
        let relation: String
        let code: Int

        init(_ attribute: String, _ relation: String, code: Int) {
            self.attribute = attribute
            self.relation = relation
            self.code = code
        }

        func rule(for subject: String, _ value: some CustomStringConvertible) -> ValidationRule {
            ValidationRule(predicateFormat: "\(subject) \(relation) \(value)", errorCode: code)
        }
    }

    private mutating func numberRule(_ node: ModelNode, _ limit: Limit) -> ValidationRule? {
        guard let literal = node.text(limit.attribute)?.withoutOuterSpaces else { return nil }
        if let number = Self.decimal(literal) { return limit.rule(for: "SELF", number) }
        report(
            .invalidValue,
            "\(limit.attribute) is \"\(literal)\", which is not a number and limits nothing. Write one, or take it away."
        )
        return nil
    }

    private mutating func lengthRule(_ node: ModelNode, _ limit: Limit) -> ValidationRule? {
        guard let literal = node.text(limit.attribute)?.withoutOuterSpaces else { return nil }
        if let length = Int(literal) ?? Double(literal).flatMap({ Int(exactly: $0) }), length >= 0 {
            return limit.rule(for: "length", length)
        }
        report(
            .invalidValue,
            "\(limit.attribute) is \"\(literal)\", which is not the length of a string and limits nothing. Write a whole "
                + "number, or take it away."
        )
        return nil
    }

    private mutating func dateRule(_ node: ModelNode, _ limit: Limit) -> ValidationRule? {
        interval(node, limit.attribute).map { limit.rule(for: "SELF", "CAST(\(Self.sixDigits($0)), \"NSDate\")") }
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
        return ValidationRule(predicateFormat: "SELF MATCHES \(pattern.quoted())", errorCode: 1680)
    }

    /// Formats six digits after the point, as Apple prints dates in predicates.
    private static func sixDigits(_ seconds: Double) -> String {
        String(format: "%.6f", seconds)
    }
}
