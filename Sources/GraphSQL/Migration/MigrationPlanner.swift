// Finds the statements of a lightweight migration: for each table whether it stays, is changed in place or rewritten,
// and the sources of its columns. Called with an inferred mapping. Columns are in +Columns, relationships whose place has
// changed in +Relationships, the statements in +Statements, the checks in +Checks. Reads no store.
import GraphModel

/// Plans the migration from one model's tables to another's.
package struct MigrationPlanner {
    let mapping: ModelMapping
    let oldModel: Model
    let newModel: Model
    let old: StoreSchema
    let new: StoreSchema
    var plan = MigrationPlan()
    /// The source's table for each of the destination, by index; nil for one that begins empty.
    var feeds: [Int?] = []
    /// The sources of the rows of each destination entity, by entity.
    var columns: [String: [String: ColumnSource]] = [:]
    /// The names of the source's tables while the statements run.
    var currentTables: [String: String] = [:]
    /// The names of the renamed columns of the source's tables, by table.
    var currentColumns: [String: [String: String]] = [:]
    /// The tables that are dropped at the end, by the names that they have until then.
    var formerTables: [String] = []
    /// The columns that are dropped at the end, by the destination's table.
    var formerColumns: [(table: String, column: String)] = []
    /// Join tables that are left as they are.
    var keptJoins: Set<String> = []
    let file: MigrationFile
    /// Whether removals are deferred.
    let defers: Bool

    /// Plans a migration.
    ///
    /// - Parameters:
    ///   - mapping: The inferred mapping.
    ///   - oldModel: The source's model.
    ///   - newModel: The destination's model.
    ///   - file: The facts about the store's file.
    ///   - defers: Whether columns and tables that nothing needs any more stay for later.
    /// - Returns: The plan.
    package static func plan(
        _ mapping: ModelMapping,
        from oldModel: Model,
        to newModel: Model,
        file: MigrationFile = MigrationFile(),
        defers: Bool = false
    ) -> MigrationPlan {
        var planner = MigrationPlanner(mapping, oldModel, newModel, file, defers)
        planner.findFeeds()
        planner.findColumns()
        planner.choosePaths()
        planner.writeRequirements()
        planner.writeSingleOwners()
        planner.clearDefaults()
        planner.writeTables()
        planner.writeRelationships()
        planner.writeChecks()
        planner.writeHistory()
        return planner.plan
    }

    init(
        _ mapping: ModelMapping,
        _ oldModel: Model,
        _ newModel: Model,
        _ file: MigrationFile,
        _ defers: Bool
    ) {
        self.mapping = mapping
        self.oldModel = oldModel
        self.newModel = newModel
        self.file = file
        self.defers = defers
        old = file.schema(oldModel)
        new = StoreSchema(
            model: newModel,
            numbers: file.numbers(after: mapping, in: newModel),
            dialect: file.dialect
        )
        plan.source = old
        plan.destination = new
    }

    /// A destination entity with the one it comes from.
    struct Pair {
        let pair: EntityPair
        let old: EntitySchema
        let new: EntitySchema
    }

    /// The entities that are in both versions, in the order of their new numbers.
    var pairs: [Pair] {
        new.entityOrder.compactMap { name in
            guard let pair = mapping.pair(destination: name), let source = pair.source,
                let old = old.entities[source], let new = new.entities[name]
            else { return nil }
            return Pair(pair: pair, old: old, new: new)
        }
    }

    /// The pair that a destination entity comes from.
    func pair(_ name: String) -> Pair? {
        guard let pair = mapping.pair(destination: name), let source = pair.source,
            let old = old.entities[source], let new = new.entities[name]
        else { return nil }
        return Pair(pair: pair, old: old, new: new)
    }

    mutating func findFeeds() {
        feeds = Array(repeating: nil, count: new.tables.count)
        for pair in pairs {
            feeds[pair.new.table] = pair.old.table
            plan.numbers[pair.new.number] = pair.old.number
            plan.feeds[new.tables[pair.new.table].name] = old.tables[pair.old.table].name
        }
    }

    /// The entity and all below it, of the destination.
    func family(_ entity: EntitySchema) -> [EntitySchema] {
        let numbers = Set(entity.familyNumbers)
        return new.entityOrder.compactMap { new.entities[$0] }.filter { numbers.contains($0.number) }
    }

    // MARK: In place or rewritten

    private mutating func choosePaths() {
        for (index, table) in new.tables.enumerated() {
            guard let feed = feeds[index] else {
                plan.paths[table.name] = .created
                continue
            }
            let stays =
                file.database == nil ? renames(of: index, from: feed) != nil : canBeAltered(index, from: feed)
            plan.paths[table.name] = stays ? .inPlace : .rewritten
        }
    }

    /// The new columns by the old ones if a table can stay; nil if its rows have to be copied.
    func renames(of index: Int, from feed: Int) -> [String: String]? {
        let (oldTable, newTable) = (old.tables[feed], new.tables[index])
        guard feeds.filter({ $0 == feed }).count == 1, isFree(newTable.name, from: oldTable.name) else { return nil }
        // An entity that was removed leaves rows and columns.
        for name in old.entityOrder where old.entities[name]?.table == feed {
            guard mapping.destination(of: name) != nil else { return nil }
        }
        var renames: [String: String] = [:]
        var lost: Set<String> = []
        for pair in pairs where pair.new.table == index {
            guard let sources = columns[pair.new.name] else { return nil }
            var keptNames: Set<String> = []
            for (column, source) in sources {
                guard case .copy(let oldColumn, nil) = source else {
                    // A value that is converted or filled in must not be left behind in a column that stays for later.
                    if source.column != nil { return nil }
                    continue
                }
                guard renames[oldColumn] == nil || renames[oldColumn] == column else { return nil }
                renames[oldColumn] = column
                keptNames.insert(oldColumn)
            }
            lost.formUnion(ownColumns(pair.old).subtracting(keptNames))
        }
        // Columns of an entity's rows in the source must be kept by all of them; columns that no entity keeps may stay
        // for later.
        guard lost.isEmpty || defers && lost.allSatisfy({ renames[$0] == nil }) else { return nil }
        guard Set(renames.values).count == renames.count else { return nil }
        let types = Dictionary(newTable.columns.map { ($0.name, $0.declaredType) }) { first, _ in first }
        for column in oldTable.columns {
            guard let name = renames[column.name] else {
                if defers { continue }
                return nil
            }
            guard types[name] == column.declaredType else { return nil }
        }
        let usedNames = Set(oldTable.columns.map(\.name))
        for column in newTable.columns where usedNames.contains(column.name) {
            guard renames[column.name] == column.name else { return nil }
        }
        return keepsForeignConstraint(index, feed, renames) ? nil : renames
    }

    /// Whether a table that stays would keep a uniqueness constraint that the new model does not have.
    ///
    /// A constraint of the declaration stays with the table, unlike an index, and would refuse rows that the model
    /// allows.
    private func keepsForeignConstraint(_ index: Int, _ feed: Int, _ renames: [String: String]) -> Bool {
        guard let constraints = file.constraints[old.tables[feed].name.uppercased()] else { return false }
        let newNames = Dictionary(renames.map { ($0.uppercased(), $1) }) { first, _ in first }
        let wanted = uniqueColumns(of: index)
        return constraints.contains { columns in !wanted.contains(Set(columns.map { newNames[$0.uppercased()] })) }
    }

    /// The columns of each uniqueness constraint of the new model in one table.
    private func uniqueColumns(of index: Int) -> Set<Set<String?>> {
        var result: Set<Set<String?>> = []
        for entity in new.entities.values where entity.table == index {
            for names in newModel.entity(named: entity.name)?.uniquenessConstraints ?? [] {
                let columns = names.map { name -> String? in
                    switch entity.properties[name] {
                    case .attribute(let attribute): attribute.column
                    case .toOne(let toOne): toOne.column
                    case .toManyInverse, .manyToMany, nil: nil
                    }
                }
                if !columns.contains(nil) { result.insert(Set(columns)) }
            }
        }
        return result
    }

    /// Whether a name is that of the table itself or of none in the source.
    func isFree(_ name: String, from currentName: String) -> Bool {
        name == currentName || !(old.tables.map(\.name) + old.joinTables.map(\.name)).contains(name)
    }

    /// The columns of an old entity's rows that may have a value.
    func ownColumns(_ entity: EntitySchema) -> Set<String> {
        var result = entity.columnNames
        for owner in old.entities.values {
            for case .toManyInverse(let inverse) in owner.properties.values
            where inverse.inverse.isEmpty && old.isFamily(entity.name, of: inverse.destination) {
                result.formUnion([inverse.column, inverse.orderColumn].compactMap(\.self))
            }
        }
        return result
    }
}

extension StoreSchema {
    /// Whether an entity is another one or a subentity of it.
    func isFamily(_ name: String, of ancestor: String) -> Bool {
        guard let entity = entities[name], let above = entities[ancestor] else { return false }
        return above.familyNumbers.contains(entity.number)
    }

    /// The numbers of an entity and of all below it, as a list in SQL.
    package func familyList(_ name: String) -> String {
        (entities[name]?.familyNumbers ?? []).map(String.init).joined(separator: ", ")
    }
}
