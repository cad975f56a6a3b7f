// Check constraints from the model's validation: required values, and validation predicates that SQL can express for
// one row. Made when a store is created or opened for writing; a migration drops them before rows change.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL

/// A rule of the model as a check constraint.
struct RowRule: Sendable {
    let entity: String
    let property: String
    let table: String
    /// Contains a hash of the condition, so that another condition is another constraint.
    let name: String
    /// The condition in SQL.
    let condition: String
    /// The rule, as the model spells it.
    let format: String
    /// The Cocoa error code of a value that breaks the rule.
    let code: Int
    /// The model's own message, which replaces the default one.
    let warning: String?

    /// Whether the rule is that there is a value.
    var requiresValue: Bool { code == Self.missingValue }

    /// The beginning of the constraints' names.
    static let prefix = "_check_"

    /// The setting of a transaction during which required values that must be unique may be missing: rows that exchange
    /// such values have none in between.
    static let freeing = "managedgraph.frees"

    /// All rules that SQL can express; objects check the others.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - schema: The places of the model.
    ///   - translator: Translates the validation predicates.
    ///   - knowsFreeing: Whether the constraints may look at the setting `freeing`.
    /// - Returns: The rules, one for each constraint of a column.
    static func all(
        of model: Model,
        in schema: StoreSchema,
        _ translator: FetchTranslator,
        knowsFreeing: Bool
    ) -> [RowRule] {
        var unique: [String: Set<String>] = [:]
        for entity in model.entities where knowsFreeing {
            guard let table = schema.entities[entity.name]?.tableName else { continue }
            unique[table, default: []].formUnion(entity.uniquenessConstraints.joined())
        }
        return model.entities.flatMap { entity -> [RowRule] in
            guard let place = schema.entities[entity.name] else { return [] }
            return entity.properties.flatMap { property -> [RowRule] in
                guard case .attribute(let attribute) = property, attribute.derivationExpressionFormat == nil,
                    !attribute.common.isTransient, case .attribute(let column)? = place.properties[property.name]
                else { return [] }
                let isUnique = unique[place.tableName]?.contains(attribute.name) == true
                return rules(of: attribute, column.column, place, schema, translator, isUnique: isUnique)
            }
        }
    }

    private static func rules(
        of attribute: Attribute,
        _ column: String,
        _ place: EntitySchema,
        _ schema: StoreSchema,
        _ translator: FetchTranslator,
        isUnique: Bool
    ) -> [RowRule] {
        let dialect = schema.dialect
        let value = dialect.identifier(column)
        // Rows of other entities of the tree do not have the property.
        var others = ""
        if let number = place.own.entityNumber, place.superNumber != 0 {
            let family = Set(place.familyNumbers).union([place.number]).sorted().map(String.init)
            others = "\(dialect.identifier(number)) NOT IN (\(family.joined(separator: ", "))) OR "
        }
        func rule(_ condition: String, _ format: String, _ code: Int, _ warning: String?) -> RowRule {
            RowRule(
                entity: place.name,
                property: attribute.name,
                table: place.tableName,
                name: ModelNaming().limited("\(prefix)\(hash(condition))_\(column)"),
                condition: condition,
                format: format,
                code: code,
                warning: warning
            )
        }
        var rules: [RowRule] = []
        if !attribute.common.isOptional {
            let freed = isUnique ? " OR COALESCE(current_setting('\(freeing)', TRUE), '') = 'on'" : ""
            rules.append(rule("\(others)\(value) IS NOT NULL\(freed)", "SELF != nil", missingValue, nil))
        }
        for validation in attribute.common.validations {
            guard let node = try? PredicateParser.parse(format: validation.predicateFormat, arguments: nil),
                let condition = try? translator.rowCondition(
                    node.applied(to: attribute.name),
                    entity: place.name
                )
            else { continue }
            rules.append(
                rule(
                    "\(others)\(value) IS NULL OR (\(condition))",
                    validation.predicateFormat,
                    validation.errorCode ?? invalidValue,
                    validation.warning
                )
            )
        }
        return rules
    }

    /// NSValidationMissingMandatoryPropertyError.
    private static let missingValue = 1570
    /// NSManagedObjectValidationError.
    private static let invalidValue = 1550

    private static func hash(_ text: String) -> String {
        String(
            text.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 },
            radix: 36
        )
    }

    /// The error for a row that breaks the rule.
    func error(_ error: PostgreSQLError) -> EngineError {
        EngineError(
            .invalidValue,
            warning ?? "\(entity).\(property) has a value for which \(format) does not hold; nothing was written.",
            reason: error.description,
            remedy: "Give \(property) a value for which \(format) holds.",
            code: code
        )
    }
}

extension PredicateNode {
    /// The predicate about a value, as one about the objects with the property.
    fileprivate func applied(to property: String) -> PredicateNode {
        replacingParts(predicates: { $0.applied(to: property) }, expressions: { $0.applied(to: property) })
    }
}

extension ExpressionNode {
    fileprivate func applied(to property: String) -> ExpressionNode {
        switch self {
        case .evaluatedObject, .keyPath(["SELF"]): .keyPath([property])
        case .keyPath(let path), .keyPathOf(.evaluatedObject, let path): .keyPath([property] + path)
        default:
            replacingParts(predicates: { $0.applied(to: property) }, expressions: { $0.applied(to: property) })
        }
    }
}
