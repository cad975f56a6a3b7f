// The consequences of a migration for the store's rows: how many objects each change affects, and which do not fit the
// new version. Called by MigrationForecaster for the first step, whose rows are those of the store.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension MigrationForecaster {
    /// The number of objects listed if many fail.
    private static let exampleCount = DatabaseForecast.exampleCount

    /// Counts the source objects of a mapping model's entity mappings.
    func countSources(in step: inout MigrationForecast.Step) throws {
        step.countsRows = true
        try source.read { context in
            for index in step.entities.indices {
                guard let name = step.entities[index].source else { continue }
                step.entities[index].rows = try Self.count(name, nil, context)
            }
        }
    }

    /// Counts the affected rows, and finds those that do not fit the new version.
    func countRows(
        in step: inout MigrationForecast.Step,
        _ mapping: ModelMapping,
        _ hop: MigrationHop,
        _ plan: MigrationPlan?
    ) throws {
        step.countsRows = true
        step.failures += try refusals(plan) + duplicates(mapping, hop)
        let compiled = try NSManagedObjectModel(hop.destination.model.withoutClasses)
        try source.read { context in
            for index in step.entities.indices {
                guard let name = step.entities[index].source,
                    hop.source.model.entity(named: name)?.isAbstract == false
                else { continue }
                let rows = try Self.count(name, nil, context)
                step.entities[index].rows = rows
                guard rows > 0 else { continue }
                for number in step.entities[index].properties.indices {
                    let property = step.entities[index].properties[number]
                    step.entities[index].properties[number].rows = try self.rows(property, name, hop, rows, context)
                }
                guard let new = step.entities[index].destination, let entity = compiled.entitiesByName[new],
                    let pair = mapping.pair(destination: new)
                else { continue }
                step.failures += try failures(of: pair, name, entity, hop, context)
            }
        }
    }

    private static func count(_ entity: String, _ predicate: NSPredicate?, _ context: NSManagedObjectContext) throws
        -> Int
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        request.predicate = predicate
        return try context.count(for: request)
    }

    /// The number of objects that lose or receive a value.
    private func rows(
        _ property: PropertyForecast,
        _ entity: String,
        _ hop: MigrationHop,
        _ rows: Int,
        _ context: NSManagedObjectContext
    ) throws -> Int? {
        let old = hop.source.model.stored(ofEntityNamed: entity).first { $0.0 == property.source ?? property.name }?.1
        switch (property.kind, old) {
        case (.added, _): return rows
        case (.dropped, .relationship(let relationship)?) where relationship.isToMany:
            return try Self.count(entity, NSPredicate(format: "%K.@count > 0", property.name), context)
        case (.dropped, _): return try Self.count(entity, NSPredicate(format: "%K != nil", property.name), context)
        case (.defaulted, .attribute?):
            let name = property.source ?? property.name
            return try Self.count(entity, NSPredicate(format: "%K == nil", name), context)
        default: return nil
        }
    }

    // MARK: Failures that prevent the migration

    /// Rows of a database that prevent the migration.
    func failure(_ failure: DatabaseForecast.Failure) -> RowFailure {
        RowFailure(
            entity: failure.entity,
            property: failure.property,
            reason: failure.reason,
            count: failure.count,
            examples: failure.keys.map { uri(failure.source ?? failure.entity, $0) },
            prevents: true
        )
    }

    /// Rows of a file that the plan rejects.
    private func refusals(_ plan: MigrationPlan?) throws -> [RowFailure] {
        guard let plan, !plan.refusals.isEmpty, let snapshotFile = source.snapshotFile else { return [] }
        let connection = try snapshotFile.connection()
        defer { connection.close() }
        return try plan.refusals.compactMap { refusal in
            let count = try connection.rows(refusal.count).first?.first?.whole ?? 0
            guard count > 0 else { return nil }
            return RowFailure(
                entity: refusal.entity,
                property: refusal.property,
                reason: refusal.reason,
                count: Int(count),
                prevents: true
            )
        }
    }

    /// Duplicate values that a uniqueness constraint of the new version forbids.
    private func duplicates(_ mapping: ModelMapping, _ hop: MigrationHop) throws -> [RowFailure] {
        guard let snapshotFile = source.snapshotFile else { return [] }
        let connection = try snapshotFile.connection()
        defer { connection.close() }
        let schema = StoreSchema(model: hop.source.model)
        let tableNames = Set(try StoreFile.tables(connection).keys)
        var result: [RowFailure] = []
        for pair in mapping.entities {
            guard let name = pair.destination, let entity = hop.destination.model.entity(named: name),
                let place = pair.source.flatMap({ schema.entities[$0] }),
                tableNames.contains(place.tableName.uppercased())
            else { continue }
            for names in entity.uniquenessConstraints {
                let values = names.compactMap { newValue(of: $0, pair, place, hop) }
                guard values.count == names.count else { continue }
                let numbers = values.indices.map { "V\($0)" }
                let groups = try connection.rows(
                    "SELECT min(Z_PK), count(*) FROM (SELECT Z_PK, "
                        + zip(values, numbers).map { "\($0.expression) AS \($1)" }.joined(separator: ", ")
                        + " FROM \(place.tableName.sqliteName) WHERE Z_ENT IN (\(schema.familyList(place.name)))) WHERE "
                        + numbers.map { "\($0) NOT NULL" }.joined(separator: " AND ")
                        + " GROUP BY \(numbers.joined(separator: ", ")) HAVING count(*) > 1",
                    values.compactMap(\.fallback)
                )
                guard !groups.isEmpty else { continue }
                result.append(
                    RowFailure(
                        entity: name,
                        property: names.joined(separator: ", "),
                        reason: DatabaseForecast.duplicates(groups.count),
                        count: groups.reduce(0) { $0 + Int($1[1].whole ?? 0) },
                        examples: groups.prefix(Self.exampleCount).map { uri(place.name, $0[0].whole ?? 0) },
                        prevents: true
                    )
                )
            }
        }
        return result
    }

    /// The value that rows of a file get for a property, as an expression over their former columns: a new attribute has
    /// its default value, as has one that becomes required and had none; nil if no row gets a value.
    private func newValue(
        of name: String,
        _ pair: EntityPair,
        _ place: EntitySchema,
        _ hop: MigrationHop
    ) -> (expression: String, fallback: SQLValue?)? {
        let attribute = pair.destination.flatMap { hop.destination.model.attribute(name, of: $0) }
        let fallback = attribute?.defaultValue.map { SQLValue($0, isExternal: false) }
        guard let source = pair.source(of: name) else {
            guard let fallback, attribute?.derivationExpressionFormat == nil else { return nil }
            return ("?", fallback)
        }
        guard let column = place.column(source)?.sqliteName else { return nil }
        let former = hop.source.model.attribute(source, of: place.name)
        guard let fallback, former?.common.isOptional == true, attribute?.common.isOptional == false else {
            return (column, nil)
        }
        return ("IFNULL(\(column), ?)", fallback)
    }

    private func uri(_ entity: String, _ key: Int64) -> String {
        "x-coredata://\(source.metadata.uuid)/\(entity)/p\(key)"
    }

    // MARK: Violations of the new rules

    /// A rule being checked.
    private struct Rule {
        var validator: PropertyValidator
        /// The property in the store; nil for a new one.
        var source: String?
        /// The value used if none is stored.
        var fallback: Any?
        var failure: RowFailure?
    }

    /// Objects that violate a new rule, or a rule of a new property.
    private func failures(
        of pair: EntityPair,
        _ oldName: String,
        _ entity: NSEntityDescription,
        _ hop: MigrationHop,
        _ context: NSManagedObjectContext
    ) throws -> [RowFailure] {
        var rules = rules(pair, oldName, entity, hop)
        guard !rules.isEmpty else { return [] }
        let relationships = rules.filter { entity.relationshipsByName[$0.validator.key] != nil }.compactMap(\.source)
        try context.eachObject(of: oldName, prefetching: relationships) { object in
            for index in rules.indices {
                let rule = rules[index]
                let value = rule.source.flatMap { object.value(forKey: $0) } ?? rule.fallback
                guard let error = rule.validator.error(for: value, of: nil) else { continue }
                note(error, object, &rules[index], entity.name ?? "")
            }
        }
        return rules.compactMap(\.failure)
    }

    private func note(_ error: NSError, _ object: NSManagedObject, _ rule: inout Rule, _ entity: String) {
        if rule.failure == nil {
            rule.failure = RowFailure(
                entity: entity,
                property: rule.validator.key,
                reason: error.localizedDescription,
                count: 0,
                prevents: false
            )
        }
        rule.failure?.count += 1
        if (rule.failure?.examples.count ?? 0) < Self.exampleCount {
            rule.failure?.examples.append(object.objectID.uriRepresentation().absoluteString)
        }
    }

    private func rules(
        _ pair: EntityPair,
        _ oldName: String,
        _ entity: NSEntityDescription,
        _ hop: MigrationHop
    ) -> [Rule] {
        let before = Dictionary(hop.source.model.stored(ofEntityNamed: oldName)) { first, _ in first }
        let after = Dictionary(hop.destination.model.stored(ofEntityNamed: entity.name ?? "")) { first, _ in first }
        return (pair.attributes + pair.relationships).compactMap { item in
            guard let property = entity.propertiesByName[item.destination], let new = after[item.destination] else {
                return nil
            }
            let old = item.source.flatMap { before[$0] }
            let validator = PropertyValidator(property)
            guard validator.hasRules, old.map({ !$0.hasRules(of: new) }) ?? true else { return nil }
            let isFilled = old == nil || old?.common.isOptional == true && !new.common.isOptional
            let fallback = isFilled ? (property as? NSAttributeDescription)?.defaultValue : nil
            return Rule(validator: validator, source: item.source, fallback: fallback)
        }
    }
}

extension Property {
    /// Whether another version of the property rejects only values that this version rejects too.
    fileprivate func hasRules(of other: Property) -> Bool {
        guard common.isOptional == other.common.isOptional || other.common.isOptional,
            Set(other.common.validations).isSubset(of: common.validations)
        else { return false }
        guard case .relationship(let old) = self, case .relationship(let new) = other else { return true }
        return (old.minCount, old.maxCount, old.isToMany) == (new.minCount, new.maxCount, new.isToMany)
    }
}

extension EntitySchema {
    /// The column of an attribute or a to-one relationship.
    fileprivate func column(_ property: String) -> String? {
        switch properties[property] {
        case .attribute(let attribute)?: attribute.column
        case .toOne(let toOne)?: toOne.column
        default: nil
        }
    }
}
