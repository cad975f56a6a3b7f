// The findings of a rehearsed migration as values that encode as JSON. Beside StoreMigration.
import Foundation
import ManagedGraphTools

extension StoreMigration {
    /// One object before and after a rehearsed migration.
    public struct Difference: Sendable, Encodable {
        /// One property.
        public struct Change: Sendable, Encodable {
            /// `added`, `dropped` or `changed`.
            public let kind: String
            /// The property.
            public let property: String
            /// The value before, as text.
            public let old: String?
            /// The value after, as text.
            public let new: String?
        }

        /// The object's entity, or its former one if it is gone.
        public let entity: String
        /// The object in the old store; nil if it is new.
        public let source: String?
        /// The object in the migrated copy; nil if it is gone.
        public let destination: String?
        /// The properties that differ.
        public let changes: [Change]

        init(_ difference: ObjectDifference) {
            entity = difference.entity
            source = difference.source
            destination = difference.destination
            changes = difference.changes.map {
                Change(kind: $0.kind.rawValue, property: $0.property, old: $0.old, new: $0.new)
            }
        }
    }

    /// The findings of a rehearsed migration.
    public struct Rehearsal: Sendable, Encodable {
        /// The outcome for the objects of one entity.
        public struct Entity: Sendable, Encodable {
            /// The entity in the old version; nil if it is new.
            public let source: String?
            /// The entity in the new version; nil if it was removed.
            public let destination: String?
            /// The number of objects before.
            public let before: Int
            /// The number of objects after.
            public let after: Int
            /// The number of objects that differ, including those that are gone.
            public let changed: Int
            /// The number of objects without a counterpart.
            public let gone: Int
        }

        /// The outcome by entity.
        public let entities: [Entity]
        /// Unexpected effects: lost objects, and values changed without a reason in the models.
        public let problems: [String]
        /// Objects that violate rules of the new version.
        public let broken: [String]

        init(_ report: RehearsalReport) {
            entities = report.entities.map {
                Entity(
                    source: $0.source,
                    destination: $0.destination,
                    before: $0.before,
                    after: $0.after,
                    changed: $0.changed,
                    gone: $0.gone
                )
            }
            problems = report.problems
            broken = report.broken
        }
    }
}
