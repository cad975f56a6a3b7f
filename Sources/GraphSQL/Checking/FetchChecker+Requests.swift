// Checks the requests in a model: its fetch request templates, which may have variables without values, and the
// requests of its fetched properties. Called by the code generator, which warns, and by the check of models.
import GraphEngine
import GraphModel
import GraphPredicates

/// A request of a model that does not fit its entity.
package struct BrokenRequest: Error, Hashable, Sendable, CustomStringConvertible {
    /// The entity that the request fetches, or that has the fetched property.
    package var entity: String
    /// The fetched property; nil for a template.
    package var property: String?
    /// The template; nil for a fetched property.
    package var template: String?
    /// The defect, and the nearest existing name if there is one.
    package var reason: String
    /// Whether the predicate cannot be parsed, so that Apple's compiler refuses it too; a name that the entity lacks
    /// is an error of each fetch only.
    package var isUnreadable: Bool

    package var description: String {
        if let property { return "entity \(entity), fetched property \(property): \(reason)" }
        return "entity \(entity), fetch request \(template ?? ""): \(reason)"
    }
}

extension FetchChecker {
    /// Everything that is wrong with the requests of a model, in the order of the model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - isComputed: Whether the class of an entity has a member of this name that key-value coding finds.
    /// - Returns: The requests that would fail; empty for a sound model.
    package static func brokenRequests(
        of model: Model,
        isComputed: @escaping @Sendable (_ entity: String, _ property: String) -> Bool = { _, _ in false }
    ) -> [BrokenRequest] {
        var checker = FetchChecker(model: model, isComputed: isComputed)
        checker.allowsVariables = true
        var broken: [BrokenRequest] = []
        for template in model.fetchRequestTemplates {
            for problem in checker.problems(of: template, sources: [:]) {
                broken.append(
                    BrokenRequest(
                        entity: template.entityName,
                        property: nil,
                        template: template.name,
                        reason: problem.reason,
                        isUnreadable: problem.isUnreadable
                    )
                )
            }
        }
        for entity in model.entities {
            for property in entity.fetchedProperties {
                // `$FETCH_SOURCE` is the object that has the property.
                for problem in checker.problems(of: property.request, sources: ["FETCH_SOURCE": entity.name]) {
                    broken.append(
                        BrokenRequest(
                            entity: entity.name,
                            property: property.name,
                            template: nil,
                            reason: problem.reason,
                            isUnreadable: problem.isUnreadable
                        )
                    )
                }
            }
        }
        return broken
    }

    private func problems(
        of request: FetchRequestTemplate,
        sources: [String: String]
    ) -> [(reason: String, isUnreadable: Bool)] {
        var reasons: [(reason: String, isUnreadable: Bool)] = []
        func note(_ body: () throws -> Void) {
            do {
                try body()
            } catch let error as TranslationError {
                reasons.append((error.description, false))
            } catch let error as PredicateFormatError {
                let quoted = "its predicate \"\(request.predicateFormat ?? "")\" cannot be read: "
                reasons.append(("\(quoted)\(error.message) (character \(error.position + 1))", true))
            } catch {
                reasons.append(("\(error)", false))
            }
        }
        if let format = request.predicateFormat, !format.isEmpty {
            note {
                let predicate = try PredicateParser.parse(format: format, arguments: [])
                try check(predicate, entity: request.entityName, sources: sources)
            }
        }
        for key in request.sortKeys {
            note { try checkSort(key.key.split(separator: ".").map(String.init), entity: request.entityName) }
        }
        return reasons
    }
}
