// Parts that the readers of model files leave to others: the predicates and expressions in a model, and its stored
// requests. Called by the generator and by the check of models, so that a build and a check report the same.
import Foundation
import GraphModel
import GraphPredicates

extension FetchChecker {
    /// The predicates and expressions of a model that cannot be parsed, stored requests left out.
    ///
    /// O(n) in the number of properties.
    ///
    /// - Parameter model: The model.
    /// - Returns: The findings, in the order of the model.
    package static func unreadableFormats(of model: Model) -> [ModelProblem] {
        var findings: [ModelProblem] = []
        for entity in model.entities {
            for property in entity.properties {
                findings += formats(of: property).map {
                    ModelProblem(.unreadableFormat, entity: entity.name, property: property.name, reason: $0)
                }
            }
            for index in entity.indexes {
                let parts = index.elements.compactMap(\.expressionFormat).compactMap(expression)
                let partial = index.partialPredicateFormat.flatMap(predicate)
                findings += (parts + [partial].compactMap(\.self)).map {
                    ModelProblem(.unreadableFormat, entity: entity.name, reason: "fetch index \(index.name): \($0)")
                }
            }
        }
        return findings
    }

    private static func formats(of property: Property) -> [String] {
        var reasons = property.common.validations.compactMap { predicate($0.predicateFormat) }
        if case .attribute(let attribute) = property {
            reasons += [attribute.derivationExpressionFormat.flatMap(expression)].compactMap(\.self)
            reasons += attribute.elements.flatMap { formats(of: .attribute($0)) }
        }
        return reasons
    }

    private static func predicate(_ format: String) -> String? {
        do {
            _ = try NSPredicate(validating: format)
            return nil
        } catch {
            return "the predicate \"\(format)\" cannot be read: \(error)"
        }
    }

    private static func expression(_ format: String) -> String? {
        do {
            _ = try GraphPredicates.NSExpression(validating: format)
            return nil
        } catch {
            return "the expression \"\(format)\" cannot be read: \(error)"
        }
    }
}

extension BrokenRequest {
    /// The request as a finding about its model.
    package var finding: ModelProblem {
        ModelProblem(
            isUnreadable ? .unreadableFormat : .unusableRequest,
            entity: property == nil ? nil : entity,
            property: property,
            reason: template.map { "fetch request \($0): \(reason)" } ?? reason
        )
    }
}
