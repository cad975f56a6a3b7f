// The environment of the expressions of a mapping model: their variables, the manager's keys, and its methods by their
// selectors.
import Foundation
import GraphPredicates

extension NSMigrationManager: KeyValueReadable, SelectorAnswering {
    /// The value of a key, such as `sourceContext`, for expressions.
    ///
    /// - Parameter key: The name of a property.
    /// - Returns: The value; nil for a name that is none.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "sourceContext": sourceContext
        case "destinationContext": destinationContext
        case "sourceModel": sourceModel
        case "destinationModel": destinationModel
        case "mappingModel": mappingModel
        case "currentEntityMapping": currentEntityMapping
        case "migrationProgress": migrationProgress
        case "userInfo": userInfo
        default: nil
        }
    }

    package func answer(_ selector: String, _ arguments: [Any?]) throws -> SelectorAnswer? {
        func name(_ index: Int) -> String {
            (arguments.indices.contains(index) ? arguments[index] as? String : nil) ?? ""
        }
        func objects(_ index: Int) -> [NSManagedObject] {
            MigrationObjects.list(arguments.indices.contains(index) ? arguments[index] : nil)
        }
        switch selector {
        case "destinationInstancesForEntityMappingNamed:sourceInstances:":
            return SelectorAnswer(destinationInstances(forEntityMappingName: name(0), sourceInstances: objects(1)))
        case "sourceInstancesForEntityMappingNamed:destinationInstances:":
            return SelectorAnswer(sourceInstances(forEntityMappingName: name(0), destinationInstances: objects(1)))
        case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
            return SelectorAnswer(destinations(of: objects(1)))
        case "fetchRequestForSourceEntityNamed:predicateString:":
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name(0))
            // Entities below this one have mappings of their own.
            request.includesSubentities = false
            request.predicate = try NSPredicate(validating: name(1))
            return SelectorAnswer(request)
        case "sourceEntityForEntityMapping:":
            return SelectorAnswer((arguments.first as? NSEntityMapping).flatMap(sourceEntity))
        case "destinationEntityForEntityMapping:":
            return SelectorAnswer((arguments.first as? NSEntityMapping).flatMap(destinationEntity))
        default: return SelectorAnswer(try value(forSelector: selector, arguments: arguments))
        }
    }

    /// The value of a property mapping's expression.
    final func value(
        of expression: NSExpression,
        _ source: NSManagedObject?,
        _ destination: NSManagedObject?,
        _ mapping: NSEntityMapping,
        _ property: NSPropertyMapping?,
        _ policy: NSEntityMigrationPolicy
    ) throws -> Any? {
        let variables: [String: Any] = [
            MigrationVariable.manager: self, MigrationVariable.source: source ?? NSNull(),
            MigrationVariable.destination: destination ?? NSNull(), MigrationVariable.entityMapping: mapping,
            MigrationVariable.propertyMapping: property ?? NSNull(), MigrationVariable.entityPolicy: policy,
        ]
        do {
            return try evaluator(of: expression).evaluate(source, variables: variables)
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            throw error
        } catch {
            throw CoreDataError.policyFailure(mapping, property?.name, "\(expression) cannot be evaluated: \(error)")
        }
    }

    private static let mostEvaluators = 1_000

    /// The evaluator of a mapping's expression, which is used for each object.
    private func evaluator(of expression: NSExpression) -> ExpressionEvaluator {
        if let prepared = evaluators[ObjectIdentifier(expression)] { return prepared.evaluator }
        let evaluator = ExpressionEvaluator(expression.node)
        // A mapping of the program's own class may make its expression at each call.
        if evaluators.count >= Self.mostEvaluators { evaluators = [:] }
        evaluators[ObjectIdentifier(expression)] = (expression, evaluator)
        return evaluator
    }
}

extension NSEntityMapping: KeyValueReadable {
    /// The value of a key, such as `name`, for expressions.
    ///
    /// - Parameter key: The name of a property.
    /// - Returns: The value; nil for a name that is none.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "mappingType": mappingType.rawValue
        case "sourceEntityName": sourceEntityName
        case "destinationEntityName": destinationEntityName
        case "userInfo": userInfo
        case "entityMigrationPolicyClassName": entityMigrationPolicyClassName
        default: nil
        }
    }
}

extension NSPropertyMapping: KeyValueReadable {
    /// The value of a key, such as `name`, for expressions.
    ///
    /// - Parameter key: The name of a property.
    /// - Returns: The value; nil for a name that is none.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "userInfo": userInfo
        default: nil
        }
    }
}

extension CoreDataError {
    /// A step of an entity mapping failed: 134170.
    static func policyFailure(_ mapping: NSEntityMapping, _ property: String?, _ reason: String) -> NSError {
        var info: [String: Any] = ["entity": mapping.destinationEntityName ?? mapping.sourceEntityName ?? ""]
        info["property"] = property
        let place = "\(mapping.name ?? "")\(property.map { "." + $0 } ?? "")"
        return make(NSEntityMigrationPolicyError, "\(place): \(reason)", reason: reason, userInfo: info)
    }
}
