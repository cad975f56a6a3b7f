// Derived attributes in a save: finds the owners whose values it affects, computes the values in the same transaction,
// and reports them after the commit. Only for values that are derived from related rows; SQL computes all others with
// the row.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// The rows of a transaction that affect derived attributes, by the attribute's place in the engine's list.
struct DependentRows {
    /// The keys of the owners that are affected already.
    var owners: [Int: Set<Int64>] = [:]
    /// The keys of the written rows from which steps of the derivation's path lead back to owners, by the number of
    /// steps.
    var rows: [Int: [Int: Set<Int64>]] = [:]
}

extension PostgreSQLWriter {
    /// The steps that read the owners to which the written rows belong before the changes are written.
    ///
    /// The owners to which they belong afterwards are found by the statements that compute the values.
    func dependentSteps(before changes: StoreChanges) -> [Step] {
        let derivations = engine.derivations
        guard !derivations.isEmpty, !isFilling else { return [] }
        var steps: [Step] = []
        for (place, derivation) in derivations.enumerated() {
            for operation in changes.inserts where operation.layout.isKind(of: derivation.layout) {
                dependents.owners[place, default: []].insert(operation.primaryKey)
            }
            let first = derivation.path.steps[0]
            for operation in changes.updates
            where operation.layout.isKind(of: first.layout)
                && operation.layout.slot(named: first.layout.properties[first.slot].name).map(operation.slots.contains)
                    == true
            {
                dependents.owners[place, default: []].insert(operation.primaryKey)
            }
            for operation in changes.joins { note(operation, derivation, place) }
            for operation in changes.owners where operation.layout.isKind(of: first.layout) {
                if let source = operation.source { dependents.owners[place, default: []].insert(source) }
            }
            for step in 1...derivation.path.steps.count {
                let entity = destination(derivation.path.steps[step - 1])
                var keys: Set<Int64> = []
                for operations in [changes.inserts, changes.updates, changes.deletes] {
                    for operation in operations where operation.layout.isKind(of: entity) {
                        keys.insert(operation.primaryKey)
                    }
                }
                if step == 1 { for operation in changes.releases + changes.owners { keys.insert(operation.member) } }
                if keys.isEmpty { continue }
                dependents.rows[place, default: [:]][step, default: []].formUnion(keys)
                let statement = SQLStatement(derivation.path.owners(through: step, "$1"), [.keys(keys.sorted())])
                steps.append(
                    Step(statement: statement) { [self] result in
                        for row in 0..<result.count {
                            if let key = try result.integer(0, row) {
                                dependents.owners[place, default: []].insert(key)
                            }
                        }
                    }
                )
            }
        }
        return steps
    }

    private func destination(_ step: (layout: EntityLayout, slot: Int)) -> EntityLayout {
        step.layout.destination(step.slot) ?? step.layout
    }

    /// Notes the owner at either end of a pair that is inserted or deleted.
    private func note(_ operation: JoinOperation, _ derivation: StoredDerivation, _ place: Int) {
        let first = derivation.path.steps[0]
        let name = first.layout.properties[first.slot].name
        if operation.layout.isKind(of: first.layout), operation.layout.properties[operation.slot].name == name {
            dependents.owners[place, default: []].insert(operation.source)
        }
        let inverse = operation.layout.properties[operation.slot].inverseSlot
        if inverse >= 0, let destination = operation.layout.destination(operation.slot),
            destination.isKind(of: first.layout),
            destination.properties[inverse].name == name
        {
            dependents.owners[place, default: []].insert(operation.destination)
        }
    }

    /// The statements that compute derived attributes at the end of the transaction.
    func derivedStatements() -> [SQLStatement] {
        if isFilling { return engine.derivations.map(\.updateOfAll) }
        return engine.derivations.enumerated()
            .compactMap { place, derivation in
                let (owners, rows) = (dependents.owners[place] ?? [], dependents.rows[place] ?? [:])
                return owners.isEmpty && rows.isEmpty ? nil : derivation.update(owners, through: rows)
            }
    }

    /// The statements that read the derived attributes of a transaction that has been committed.
    func derivedReads() -> [SQLStatement] {
        engine.derivations.enumerated()
            .compactMap { place, derivation in
                let (owners, rows) = (dependents.owners[place] ?? [], dependents.rows[place] ?? [:])
                return owners.isEmpty && rows.isEmpty ? nil : derivation.read(owners, through: rows)
            }
    }

    /// Notes the computed values, for the objects in memory.
    ///
    /// - Parameter results: Those of `derivedStatements()` or of `derivedReads()`, in their order.
    /// - Throws: `PostgreSQLError` for a value that is not valid.
    func noteDerived(_ results: [PostgreSQLResult]) throws {
        let affected = engine.derivations.enumerated()
            .filter { dependents.owners[$0.offset] != nil || dependents.rows[$0.offset] != nil }
        for ((_, derivation), result) in zip(affected, results) {
            let property = derivation.layout.properties[derivation.slot]
            for row in 0..<result.count {
                let number = try result.integer(1, row) ?? 0
                let key = ObjectKey(
                    engine.entityIndex(number: number) ?? derivation.layout.index,
                    store: engine.storeIndex,
                    try result.integer(0, row) ?? 0
                )
                let value = try result.value(2, row)
                let cell: SQLValue =
                    if case .decimal = value, property.type != .decimal { .real(try result.real(2, row) ?? 0) } else {
                        SQLValue(value)
                    }
                derivedValues.append(
                    DerivedValue(key: key, property: property.name, value: RowValue(cell, type: property.type) ?? .null)
                )
            }
        }
        dependents = DependentRows()
    }
}
