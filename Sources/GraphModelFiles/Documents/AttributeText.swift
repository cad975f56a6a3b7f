// The values of an attribute as the texts of a model file: default value, bounds, pattern. Called by programs that edit
// models, so that they accept the same texts as the readers and write the same as the writer.
import Foundation
import GraphModel

/// Converts values of attributes to and from the texts of model files.
package enum AttributeText {
    /// The texts of validation rules.
    package struct Bounds: Sendable, Hashable {
        /// The lowest value, the shortest length, or seconds since 2001 for dates.
        package var minimum: String?
        /// The highest value, the greatest length, or seconds since 2001 for dates.
        package var maximum: String?
        package var pattern: String?

        package init(minimum: String? = nil, maximum: String? = nil, pattern: String? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.pattern = pattern
        }
    }

    /// The text of a default value; nil for none, and for a value that model files cannot represent.
    package static func text(of value: DefaultValue) -> String? { ContentsWriter.text(value) }

    /// Reads a default value.
    ///
    /// - Parameters:
    ///   - literal: The value as text; seconds since 2001 for a date.
    ///   - type: The attribute's type.
    /// - Returns: The value.
    /// - Throws: `ModelProblem` for a text that is not a value of the type, or a type without default values.
    package static func defaultValue(_ literal: String, type: AttributeType) throws(ModelProblem) -> DefaultValue? {
        var node = ModelNode(name: "attribute", attributes: [:])
        node[type == .date ? "defaultDateTimeInterval" : "defaultValueString"] = literal
        var reader = ContentsReader()
        let value = reader.readDefaultValue(node, type: type)
        if let problem = reader.problems.first { throw problem }
        if value == nil, !literal.isEmpty {
            throw ModelProblem(
                .invalidValue,
                reason: "an attribute of type \(type.title) has no default value in a model file. Leave it empty."
            )
        }
        return value
    }

    /// The bounds and the pattern in an attribute's rules.
    package static func bounds(of attribute: Attribute) -> Bounds {
        var bounds = Bounds()
        for rule in attribute.common.validations.flatMap(\.bounds) {
            guard let (name, value) = ContentsWriter.bound(rule, type: attribute.type) else { continue }
            switch name {
            case "minValueString", "minDateTimeInterval": bounds.minimum = value
            case "maxValueString", "maxDateTimeInterval": bounds.maximum = value
            default: bounds.pattern = value
            }
        }
        return bounds
    }

    /// Reads the rules of an attribute.
    ///
    /// - Parameters:
    ///   - bounds: The texts.
    ///   - type: The attribute's type.
    /// - Returns: The rules; none for a type that has none.
    /// - Throws: `ModelProblem` for a text that is not a bound of the type.
    package static func rules(_ bounds: Bounds, type: AttributeType) throws(ModelProblem) -> [ValidationRule] {
        var node = ModelNode(name: "attribute", attributes: [:])
        let isDate = type == .date
        node[isDate ? "minDateTimeInterval" : "minValueString"] = bounds.minimum
        node[isDate ? "maxDateTimeInterval" : "maxValueString"] = bounds.maximum
        node["regularExpressionString"] = bounds.pattern
        var reader = ContentsReader()
        let rules = reader.readValidations(node, type: type)
        if let problem = reader.problems.first { throw problem }
        return rules
    }
}
