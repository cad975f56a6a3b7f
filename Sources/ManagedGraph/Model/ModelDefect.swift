import Foundation
import GraphModel

/// A defect that makes a model unusable, and its place.
package struct ModelDefect: Error, CustomStringConvertible, LocalizedError {
    package var entity: String?
    package var property: String?
    package var reason: String

    package var description: String { ModelProblem.text(entity, property, reason) }

    package var errorDescription: String? { description }

    /// Runs `body`; an error in it is reported as one of this place in the model.
    static func locate<T>(entity: String?, property: String?, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let defect as ModelDefect {
            throw ModelDefect(
                entity: defect.entity ?? entity,
                property: defect.property ?? property,
                reason: defect.reason
            )
        } catch {
            throw ModelDefect(entity: entity, property: property, reason: "\(error)")
        }
    }
}
