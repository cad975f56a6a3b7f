// An attribute of an entity, or an element of a composite attribute, as a value. Wrapped by `Property`.
import Foundation

/// An attribute with its type, its default value and its storage settings.
package struct Attribute: Sendable, Hashable {
    package var common: PropertyCommon
    package var type: AttributeType
    package var defaultValue: DefaultValue?
    /// Whether the generated property has a scalar Swift type.
    package var usesScalarValue: Bool
    package var allowsExternalBinaryDataStorage: Bool
    package var preservesValueInHistoryOnDeletion: Bool
    package var allowsCloudEncryption: Bool
    package var valueTransformerName: String?
    /// The class of a transformable's value.
    package var customClassName: String?
    /// Set for a derived attribute only.
    package var derivationExpressionFormat: String?
    /// The elements of a composite attribute.
    package var elements: [Attribute]
    /// The composite type's name in the model file; compiled models have none.
    package var compositeName: String?

    package init(
        common: PropertyCommon,
        type: AttributeType,
        defaultValue: DefaultValue? = nil,
        usesScalarValue: Bool = false,
        allowsExternalBinaryDataStorage: Bool = false,
        preservesValueInHistoryOnDeletion: Bool = false,
        allowsCloudEncryption: Bool = false,
        valueTransformerName: String? = nil,
        customClassName: String? = nil,
        derivationExpressionFormat: String? = nil,
        elements: [Attribute] = [],
        compositeName: String? = nil
    ) {
        self.common = common
        self.type = type
        self.defaultValue = defaultValue
        self.usesScalarValue = usesScalarValue
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        self.allowsCloudEncryption = allowsCloudEncryption
        self.valueTransformerName = valueTransformerName
        self.customClassName = customClassName
        self.derivationExpressionFormat = derivationExpressionFormat
        self.elements = elements
        self.compositeName = compositeName
    }

    package var name: String { common.name }
}
