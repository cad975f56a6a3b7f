// The rows that the key path of a derived attribute leads through, as tables joined in a statement. Made by
// StoredDerivation.
import GraphEngine
import GraphModel
import GraphSQL

/// The relationships from the owner of a derived attribute, the row `t0`, to the rows with its value, `t1` and so on.
struct DerivationPath {
    private(set) var steps: [(layout: EntityLayout, slot: Int)] = []
    /// `FROM` with the owner, and the joined tables of each step.
    private(set) var tables: [String]
    /// The key of the owner's row, and of those of each step.
    private(set) var keys: [String]
    private let map: TableMap
    private var destination: EntityLayout

    /// Nil if a relationship is not in the model or is not stored.
    init?(_ relationships: [String], from layout: EntityLayout, _ map: TableMap) {
        guard let entity = map.schema.entities[layout.name] else { return nil }
        self.map = map
        destination = layout
        tables = ["\(map.schema.dialect.table(entity.tableName)) AS t0"]
        keys = ["t0.\(map.schema.dialect.identifier(entity.own.key))"]
        for relationship in relationships where !append(relationship) { return nil }
    }

    /// Joins the destination of a relationship; returns false if there is none.
    private mutating func append(_ relationship: String) -> Bool {
        let dialect = map.schema.dialect
        guard let slot = destination.slot(named: relationship), let next = destination.destination(slot),
            let entity = map.schema.entities[next.name]
        else { return false }
        func column(_ row: String, _ name: String) -> String { "\(row).\(dialect.identifier(name))" }
        let (owner, row) = ("t\(steps.count)", "t\(steps.count + 1)")
        let key = column(row, entity.own.key)
        let ownerKey = keys[steps.count]
        let table = "JOIN \(dialect.table(entity.tableName)) AS \(row) ON "
        switch map.property(destination, slot) {
        case .toOne(let toOne): tables.append(table + "\(key) = \(column(owner, toOne.column))")
        case .toManyInverse(let inverse): tables.append(table + "\(column(row, inverse.column)) = \(ownerKey)")
        case .manyToMany(let join):
            tables.append(
                "JOIN \(dialect.table(join.joinTable)) AS j ON \(column("j", join.ownColumn)) = \(ownerKey) "
                    + table + "\(key) = \(column("j", join.otherColumn))"
            )
        default: return false
        }
        steps.append((destination, slot))
        keys.append(key)
        destination = next
        return true
    }

    /// The column of an attribute of the last rows; nil if it is not stored.
    func column(of attribute: String) -> String? {
        guard let slot = destination.slot(named: attribute),
            case .attribute(let stored)? = map.property(destination, slot)
        else { return nil }
        return "t\(steps.count).\(map.schema.dialect.identifier(stored.column))"
    }

    /// A subquery for the owner `t0`: it reads an expression over the last rows, from the owner's row around.
    func select(_ expression: String) -> String {
        let rows = tables.dropFirst().joined(separator: " ").replacing("t0.", with: "o.")
        return "(SELECT \(expression) FROM \(tables[0].replacing("AS t0", with: "AS o")) \(rows)"
            + " WHERE \(keys[0].replacing("t0.", with: "o.")) = \(keys[0]))"
    }

    /// A SELECT of the owners whose path leads through rows of a step.
    ///
    /// - Parameters:
    ///   - step: The number of the step, 1 for the first destination.
    ///   - mark: The mark of the rows' keys.
    /// - Returns: A SELECT of keys.
    func owners(through step: Int, _ mark: String) -> String {
        "SELECT \(keys[0]) FROM \(tables[0...step].joined(separator: " ")) WHERE \(keys[step]) = ANY(\(mark))"
    }
}
