// Properties of models in code, for tests of the modules below the framework. Tests of the framework use GraphSupport.
import GraphModel

extension Property {
    package static func attribute(_ name: String, _ type: AttributeType, isOptional: Bool = true) -> Property {
        .attribute(Attribute(common: PropertyCommon(name: name, isOptional: isOptional), type: type))
    }

    package static func toOne(
        _ name: String,
        _ destination: String,
        _ inverse: String? = nil,
        minCount: Int = 0,
        isOptional: Bool = true
    ) -> Property {
        .relationship(Relationship(name, destination, inverse, minCount, isOptional))
    }

    package static func toMany(
        _ name: String,
        _ destination: String,
        _ inverse: String? = nil,
        minCount: Int = 0,
        maxCount: Int = 0,
        isOptional: Bool = true,
        isOrdered: Bool = false
    ) -> Property {
        var relationship = Relationship(name, destination, inverse, minCount, isOptional)
        (relationship.maxCount, relationship.isToMany, relationship.isOrdered) = (maxCount, true, isOrdered)
        return .relationship(relationship)
    }
}

extension Relationship {
    /// A relationship to one object.
    fileprivate init(
        _ name: String,
        _ destination: String,
        _ inverse: String?,
        _ minCount: Int,
        _ isOptional: Bool
    ) {
        self.init(
            common: PropertyCommon(name: name, isOptional: isOptional),
            destinationEntityName: destination,
            inverseName: inverse,
            minCount: minCount
        )
    }
}
