import Foundation

/// A property of an entity.
package enum Property: Sendable, Hashable {
    case attribute(Attribute)
    case relationship(Relationship)
    case fetched(FetchedProperty)

    package var name: String {
        switch self {
        case .attribute(let attribute): attribute.common.name
        case .relationship(let relationship): relationship.common.name
        case .fetched(let fetched): fetched.common.name
        }
    }

    package var common: PropertyCommon {
        get {
            switch self {
            case .attribute(let attribute): attribute.common
            case .relationship(let relationship): relationship.common
            case .fetched(let fetched): fetched.common
            }
        }
        set {
            switch self {
            case .attribute(var attribute):
                attribute.common = newValue
                self = .attribute(attribute)
            case .relationship(var relationship):
                relationship.common = newValue
                self = .relationship(relationship)
            case .fetched(var fetched):
                fetched.common = newValue
                self = .fetched(fetched)
            }
        }
    }
}

/// The values that every kind of property has.
package struct PropertyCommon: Sendable, Hashable {
    package var name: String
    package var isOptional: Bool
    package var isTransient: Bool
    package var isReadOnly: Bool
    package var isIndexed: Bool
    package var isIndexedBySpotlight: Bool
    /// For the record files that Spotlight once read; without effect on the store.
    package var isStoredInExternalRecord: Bool
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String]
    /// Validation predicates by format, each with its warning (nil if the model has none).
    package var validations: [ValidationRule]

    package init(
        name: String,
        isOptional: Bool = true,
        isTransient: Bool = false,
        isReadOnly: Bool = false,
        isIndexed: Bool = false,
        isIndexedBySpotlight: Bool = false,
        isStoredInExternalRecord: Bool = false,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [String: String] = [:],
        validations: [ValidationRule] = []
    ) {
        self.name = name
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isReadOnly = isReadOnly
        self.isIndexed = isIndexed
        self.isIndexedBySpotlight = isIndexedBySpotlight
        self.isStoredInExternalRecord = isStoredInExternalRecord
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.validations = validations
    }
}

/// A predicate that a value must satisfy, with the error code that Apple reports otherwise.
package struct ValidationRule: Sendable, Hashable {
    package var predicateFormat: String
    package var warning: String?
    /// The Cocoa error code (1610 number too large, 1660 string too long, …), or nil for 1550.
    package var errorCode: Int?

    package init(predicateFormat: String, warning: String? = nil, errorCode: Int? = nil) {
        self.predicateFormat = predicateFormat
        self.warning = warning
        self.errorCode = errorCode
    }
}

/// The type of an attribute; raw values are Apple's.
package enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    case undefined = 0
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100
}

/// A default value, typed.
package enum DefaultValue: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case boolean(Bool)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case data(Data)
    /// The keyed archive of a value that model files cannot represent, such as a transformable's.
    case archive(Data)
}

/// An attribute.
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

/// The effect of deleting the source on the destination; raw values are Apple's.
package enum DeleteRule: Int, Sendable, Hashable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3
}

/// A relationship.
package struct Relationship: Sendable, Hashable {
    package var common: PropertyCommon
    package var destinationEntityName: String
    package var inverseName: String?
    /// 0 if the file has no value.
    package var minCount: Int
    /// 1 is to-one; 0 is to-many without a limit.
    package var maxCount: Int
    /// The value in the file: `toMany="YES"`, or a `maxCount` other than 1.
    package var isToMany: Bool
    package var isOrdered: Bool
    package var deleteRule: DeleteRule

    package init(
        common: PropertyCommon,
        destinationEntityName: String,
        inverseName: String? = nil,
        minCount: Int = 0,
        maxCount: Int = 1,
        isToMany: Bool = false,
        isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        self.common = common
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.minCount = minCount
        self.maxCount = maxCount
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.deleteRule = deleteRule
    }

    package var name: String { common.name }
}

/// A fetched property: a stored request whose value is an array of objects.
package struct FetchedProperty: Sendable, Hashable {
    package var common: PropertyCommon
    package var request: FetchRequestTemplate

    package init(common: PropertyCommon, request: FetchRequestTemplate) {
        self.common = common
        self.request = request
    }

    package var name: String { common.name }
}
