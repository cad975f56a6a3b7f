// Describes comparisons and forecasts as values that pages show. Called by ModelSession.
import GraphModel
import GraphModelFiles

extension ModelComparisonPicture {
    /// Compares two versions.
    init(from old: ModelDocument, named from: String, to new: ModelDocument, named to: String) {
        let difference = ModelComparison.differences(from: old.usableModel, to: new.usableModel)
        self.init(
            from: from,
            to: to,
            entities: difference.entities.map { EntityDifferencePicture($0) },
            changes: difference.changes.map { FieldChangePicture($0) },
            isEqual: difference.isEmpty,
            forecast: ForecastPicture(from: old, named: from, to: new)
        )
    }
}

extension FieldChangePicture {
    init(_ change: FieldChange) {
        self.init(field: change.field, before: change.before, after: change.after, isHashed: change.isHashed)
    }
}

extension EntityDifferencePicture {
    init(_ difference: EntityDifference) {
        self.init(
            kind: difference.kind.rawValue,
            name: difference.name,
            formerName: difference.formerName,
            changes: difference.changes.map { FieldChangePicture($0) },
            properties: difference.properties.map { property in
                PropertyDifferencePicture(
                    kind: property.kind.rawValue,
                    name: property.name,
                    formerName: property.formerName,
                    formerEntity: property.formerEntity,
                    sort: property.sort,
                    summary: property.summary,
                    changes: property.changes.map { FieldChangePicture($0) },
                    isHashChanged: property.isHashChanged
                )
            },
            isHashChanged: difference.isHashChanged
        )
    }
}

extension ForecastPicture {
    /// Forecasts the opening of a store of an older version.
    init(from old: ModelDocument, named from: String, to new: ModelDocument) {
        for (document, subject) in [(new, "This version"), (old, "The version \(from)")] {
            guard let problem = document.firstError else { continue }
            self.init(
                from: from,
                outcome: .unknown,
                reasons: [],
                notes: ["\(subject) has errors, so that no store opens with it: \(problem.description)"]
            )
            return
        }
        let verdict = MigrationVerdict(from: old.usableModel, to: new.usableModel)
        self.init(
            from: from,
            outcome: !verdict.isNeeded ? .opens : verdict.isPossible ? .migrates : .refuses,
            reasons: verdict.refusals.map {
                ForecastReason(
                    entity: $0.entity,
                    property: $0.property,
                    reason: $0.reason.asSentence,
                    remedy: $0.remedy
                )
            },
            notes: verdict.notes
        )
    }
}

extension String {
    /// The text with a period, unless it already ends a sentence.
    fileprivate var asSentence: String { last.map { ".?!".contains($0) } ?? true ? self : self + "." }
}
