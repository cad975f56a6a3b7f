// The plan of a migration as values that encode as JSON. Beside StoreMigration.
import Foundation
import ManagedGraphTools

extension StoreMigration {
    /// The expected effects of a migration.
    public struct Plan: Sendable, Encodable {
        /// The version of the store.
        public let from: String
        /// Whether the version's model is found only in the store itself.
        public let isOwnVersion: Bool
        /// The version to migrate to.
        public let to: String
        /// Whether no obstacle is known.
        public let isPossible: Bool
        /// Whether the store already has the version.
        public let isUpToDate: Bool
        /// The steps in order.
        public let steps: [Step]
        /// The reasons why there is no way.
        public let impasse: [Obstacle]

        init(_ forecast: MigrationForecast) {
            from = forecast.from
            isOwnVersion = forecast.isOwnVersion
            to = forecast.to
            isPossible = forecast.isPossible
            isUpToDate = forecast.isUpToDate
            steps = forecast.steps.map(Step.init)
            impasse = forecast.impasse.map {
                Obstacle(entity: $0.entity, property: $0.property ?? "", reason: $0.reason)
            }
        }
    }

    /// One step of a plan.
    public struct Step: Sendable, Encodable {
        /// The version before the step.
        public let from: String
        /// The version after the step.
        public let to: String
        /// The mapping model's file; nil for a step that is inferred and done in SQL.
        public let mapping: String?
        /// The effects on entities.
        public let entities: [EntityEffect]
        /// Objects that do not fit the new version; determined for the first step only.
        public let misfits: [Misfit]
        /// The reasons why this program cannot do the step.
        public let obstacles: [String]
        /// The statements, if the step is done in SQL.
        public let statements: [String]

        init(_ step: MigrationForecast.Step) {
            from = step.from
            to = step.to
            mapping = step.mapping
            entities = step.entities.map(EntityEffect.init)
            misfits = step.failures.map(Misfit.init)
            obstacles = step.obstacles
            statements = step.statements
        }
    }

    /// A reason why there is no way between two versions.
    public struct Obstacle: Sendable, Encodable {
        /// The entity.
        public let entity: String
        /// The property; empty if the entity itself is the reason.
        public let property: String
        /// The reason, in words.
        public let reason: String
    }

    /// The effect of a step on an entity.
    public struct EntityEffect: Sendable, Encodable {
        /// `added`, `removed`, `renamed`, `changed`, `unchanged` or `mapped`.
        public let kind: String
        /// The entity in the old version.
        public let source: String?
        /// The entity in the new version.
        public let destination: String?
        /// The number of the entity's objects, without those of subentities.
        public let rows: Int?
        /// The way in which the table is migrated: `untouched`, `inPlace`, `rewritten` or `created`.
        public let table: String?
        /// The effects on properties.
        public let properties: [PropertyEffect]

        init(_ entity: EntityForecast) {
            kind = entity.kind.rawValue
            source = entity.source
            destination = entity.destination
            rows = entity.rows
            table = entity.path.map { "\($0)" }
            properties = entity.properties.map(PropertyEffect.init)
        }
    }

    /// The effect of a step on a property.
    public struct PropertyEffect: Sendable, Encodable {
        /// `added`, `dropped`, `renamed`, `retyped`, `defaulted`, `changed` or `mapped`.
        public let kind: String
        /// The name in the new version; in the old one if the property is dropped.
        public let name: String
        /// The former name, if it differs.
        public let source: String?
        /// The change, in words.
        public let detail: String
        /// The number of objects affected.
        public let rows: Int?

        init(_ property: PropertyForecast) {
            kind = property.kind.rawValue
            name = property.name
            source = property.source
            detail = property.detail
            rows = property.rows
        }
    }

    /// Objects that do not fit the new version.
    public struct Misfit: Sendable, Encodable {
        /// The entity.
        public let entity: String
        /// The property whose rule they violate.
        public let property: String?
        /// The rule, in words.
        public let reason: String
        /// The number of objects.
        public let count: Int
        /// URIs of the first ones.
        public let examples: [String]
        /// Whether the migration fails; otherwise the objects fail validation at their next save.
        public let prevents: Bool

        init(_ failure: RowFailure) {
            entity = failure.entity
            property = failure.property
            reason = failure.reason
            count = failure.count
            examples = failure.examples
            prevents = failure.prevents
        }
    }
}
