// Differences of models as JSON. Used by ModelDiffCommand, whose help lists the keys.
import GraphArchives
import GraphModel

enum ModelDiffJSON {
    /// A comparison as one object.
    static func object(
        _ from: String,
        _ to: String,
        _ difference: ModelDifference,
        _ verdict: MigrationVerdict
    ) -> JSONValue {
        .object([
            ("from", .string(from)), ("to", .string(to)), ("error", .null), ("equal", .boolean(difference.isEmpty)),
            ("hashesEqual", .boolean(difference.hasEqualHashes)), ("lightweight", .boolean(verdict.isPossible)),
            ("entities", .array(difference.entities.map(entity))), ("changes", .array(difference.changes.map(change))),
            ("refusals", .array(verdict.refusals.map(refusal))),
            ("notes", .array(verdict.notes.map { .string($0) })),
        ])
    }

    private static func entity(_ entity: EntityDifference) -> JSONValue {
        .object([
            ("kind", .string(entity.kind.rawValue)), ("name", .string(entity.name)),
            ("former", .string(entity.formerName)), ("hashChanged", .boolean(entity.isHashChanged)),
            ("changes", .array(entity.changes.map(change))), ("properties", .array(entity.properties.map(property))),
        ])
    }

    private static func property(_ property: PropertyDifference) -> JSONValue {
        .object([
            ("kind", .string(property.kind.rawValue)), ("name", .string(property.name)),
            ("former", .string(property.formerName)), ("formerEntity", .string(property.formerEntity)),
            ("sort", .string(property.sort)), ("summary", .string(property.summary)),
            ("hashChanged", .boolean(property.isHashChanged)), ("changes", .array(property.changes.map(change))),
        ])
    }

    private static func change(_ change: FieldChange) -> JSONValue {
        .object([
            ("field", .string(change.field)), ("before", .string(change.before)), ("after", .string(change.after)),
            ("hashed", .boolean(change.isHashed)),
        ])
    }

    private static func refusal(_ refusal: MigrationVerdict.Refusal) -> JSONValue {
        .object([
            ("entity", .string(refusal.entity)), ("property", .string(refusal.property)),
            ("reason", .string(refusal.reason)), ("remedy", .string(refusal.remedy)),
        ])
    }
}
