// Steps of a check: the numbers and keys of entities, and the tables and columns that the model requires.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    /// Checks Z_PRIMARYKEY on its own, which requires no model.
    func checkNumbers() throws {
        var names: [String: Int64] = [:]
        let all = try rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        let numbers = Set(all.compactMap { $0[0].whole })
        for row in all {
            let number = row[0].printed
            guard let name = row[1].text, !name.isEmpty else {
                problems.add("Z_PRIMARYKEY: the entity with the number \(number) has no name.")
                continue
            }
            // The history's own entities may have the names of the model's.
            if let earlierNumber = names[name], row[0].whole ?? 0 < HistorySchema.changeNumber {
                problems.add("Z_PRIMARYKEY: \(name) has the numbers \(earlierNumber) and \(number).")
            }
            names[name] = row[0].whole ?? 0
            if let parent = row[2].whole, parent != 0, !numbers.contains(parent) {
                problems.add("Z_PRIMARYKEY: \(name) is below the entity number \(parent), which is not there.")
            }
            if row[3].whole == nil {
                problems.add("Z_PRIMARYKEY: the last key of \(name) is \(row[3].printed) instead of a number.")
            }
        }
    }

    /// Checks the tables and columns that the model requires.
    func checkTables() throws {
        guard let resolvedModel else { return }
        var missing: Set<String> = []
        for (table, reason) in schema.missing(in: tables) {
            missing.insert(table)
            problems.add(reason)
        }
        for entity in resolvedModel.part.entities {
            guard let place = schema.entities[entity.name], !missing.contains(place.tableName) else { continue }
            let needed = place.properties.values.compactMap { property -> String? in
                switch property {
                case .manyToMany(let join): join.joinTable
                case .toManyInverse(let inverse): inverse.destinationTable
                case .toOne(let toOne): schema.entities[toOne.destination]?.tableName
                case .attribute: nil
                }
            }
            if !needed.contains(where: missing.contains) { readable.insert(entity.name) }
        }
    }

    /// Checks the model's entities in Z_PRIMARYKEY, and the keys and entity numbers of all rows.
    func checkKeys() throws {
        var numbersByName: [String: (number: Int64, parent: Int64, last: Int64)] = [:]
        let order = "Z_ENT < \(HistorySchema.changeNumber), Z_ENT"
        for row in try rows("SELECT Z_NAME, Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY \(order)") {
            if let name = row[0].text {
                numbersByName[name] = (row[1].whole ?? 0, row[2].whole ?? 0, row[3].whole ?? 0)
            }
        }
        let twice = Dictionary(grouping: schema.entities.values, by: \.number).filter { $0.value.count > 1 }
        for (number, entities) in twice.sorted(by: { $0.key < $1.key }) {
            let names = entities.map(\.name).sorted().joined(separator: " and ")
            problems.add("Z_PRIMARYKEY: \(names) have the same number \(number).")
        }
        for name in schema.entityOrder {
            guard let place = schema.entities[name] else { continue }
            guard let row = numbersByName[name] else {
                // A migration that renamed the entity may have left the old name.
                let former = numbersByName.first { $0.value.number == place.number && schema.entities[$0.key] == nil }
                if let former {
                    notes.add("\(name): Z_PRIMARYKEY still calls the entity \(former.key).")
                } else {
                    problems.add("\(name): Z_PRIMARYKEY has no row for the entity.")
                }
                continue
            }
            if row.parent != place.superNumber {
                problems.add("\(name): Z_PRIMARYKEY has it below \(row.parent), the model below \(place.superNumber).")
            }
        }
        for table in schema.tables {
            guard let root = schema.entities[table.rootEntity],
                tables[table.name.uppercased()]?.contains("Z_ENT") == true
            else { continue }
            let numbers = root.familyNumbers.map(String.init).joined(separator: ", ")
            try findRows(
                "SELECT Z_PK, Z_ENT FROM \(table.name.sqliteName) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))",
                table.rootEntity,
                nil,
                kind: "unknown entity numbers"
            ) { "the entity number \($0[1].printed) is none of this table's." }
            let last = try rows("SELECT max(Z_PK) FROM \(table.name.sqliteName)").first?.first?.whole ?? 0
            let row = numbersByName[table.rootEntity] ?? numbersByName.values.first { $0.number == root.number }
            if let row, row.last < last {
                problems.add(
                    "\(table.rootEntity): Z_PRIMARYKEY says that \(row.last) is the last key, but there is a row "
                        + "\(last). A new object would get a key that is already used."
                )
            }
            try findRows(
                "SELECT Z_PK, Z_OPT FROM \(table.name.sqliteName) WHERE typeof(Z_OPT) NOT IN ('integer', 'null')",
                table.rootEntity,
                nil,
                kind: "versions"
            ) { "Z_OPT is \($0[1].printed) instead of a number." }
        }
    }
}
