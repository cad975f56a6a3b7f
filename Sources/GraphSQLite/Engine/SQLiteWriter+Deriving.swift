// Derived attributes in a save: those set by triggers, and those computed at its end.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension SQLiteWriter {
    /// Registers the functions that triggers call: those that report values, and the current time.
    func registerTriggerFunctions() throws {
        handle.set(self)
        for name in StoreSchema.triggerFunctions {
            try connection.registerFunction(name, argumentCount: 5, deterministic: false) { [handle] arguments in
                handle.object(as: SQLiteWriter.self)?.noteDerived(arguments)
                return .null
            }
        }
        try connection.registerFunction(StoreSchema.timeFunction, argumentCount: 0, deterministic: false) { _ in
            .real(Date().timeIntervalSinceReferenceDate)
        }
    }

    /// Records a derived attribute set by a trigger: table, entity number, key, attribute, value.
    private func noteDerived(_ arguments: [SQLValue]) {
        guard isSaving, arguments.count == 5, case .integer(let number) = arguments[1],
            case .integer(let primaryKey) = arguments[2], case .text(let property) = arguments[3]
        else { return }
        noteDerived(number: number, primaryKey: primaryKey, property, arguments[4])
    }

    private func noteDerived(number: Int64, primaryKey: Int64, _ property: String, _ value: SQLValue) {
        guard let entity = engine.entityIndex(number: number) else { return }
        let key = ObjectKey(entity: Int32(entity), store: engine.storeIndex, primaryKey: primaryKey)
        let layout = engine.model?.entities[entity]
        let type = layout.flatMap { layout in layout.slot(named: property).map { layout.properties[$0].type } }
        derivedValues.append(
            DerivedValue(key: key, property: property, value: RowValue(value, type: type ?? .undefined) ?? .null)
        )
    }

    /// Computes the attributes that depend on rows written by this save; called before its commit.
    func writeDependents() throws {
        guard !dependents.isEmpty else { return }
        for row in dependents {
            let path = engine.derivedPaths[row.path]
            for (number, key, value) in try path.update(row.primaryKey, step: row.step, connection) {
                noteDerived(number: number, primaryKey: key, path.attribute, value)
            }
        }
        dependents = []
    }
}
