// The schema of the second version: views of the tables under its names, the store's own tables, and the functions. A
// program sees a whole store in it.
import GraphSQL

extension VersionExpansion {
    func viewStatements(_ plan: ExpansionPlan) throws -> [String] {
        let otherTables = OwnTables(views)
        var statements = ["CREATE SCHEMA \(dialect.identifier(schema))"] + PostgreSQLFunctions(views).statements
        statements += plan.views.map { view in
            let columns = view.columns.map { "\(dialect.identifier($0.column)) AS \(dialect.identifier($0.name))" }
            return "CREATE VIEW \(views.table(view.name)) AS SELECT \(columns.joined(separator: ", ")) "
                + "FROM \(dialect.table(view.table))"
        }
        statements += [
            "CREATE VIEW \(otherTables.store) AS SELECT id, version, uuid, next_metadata AS metadata, "
                + "next_model AS model, history_base, purged_through, next_generation AS generation FROM \(own.store)",
            "CREATE VIEW \(otherTables.transaction) AS SELECT * FROM \(own.transaction)",
            "CREATE TABLE \(otherTables.entity) AS SELECT number, name, super_number FROM \(own.entity) WHERE FALSE",
            "CREATE TABLE \(otherTables.table) (name text COLLATE \"C\" PRIMARY KEY)",
        ]
        let destination = plan.migration.destination
        for entity in destination.entityOrder.compactMap({ destination.entities[$0] }) {
            let name = dialect.literal(.text(entity.name))
            statements.append(
                "INSERT INTO \(otherTables.entity) VALUES (\(entity.number), \(name), \(entity.superNumber))"
            )
        }
        statements += renumberingStatements(plan)
        return statements + changeViewStatements(renumbers: !plan.migration.history.isEmpty)
    }

    /// The numbers of properties in the history, which differ between the versions.
    private func renumberingStatements(_ plan: ExpansionPlan) -> [String] {
        let (table, function) = (views.table("_number"), views.table("_renumbered"))
        var statements = [
            "CREATE TABLE \(table) (entity bigint NOT NULL, old integer NOT NULL, new integer NOT NULL)",
            """
            CREATE FUNCTION \(function)(owner bigint, bits bytea, forward boolean) RETURNS bytea LANGUAGE plpgsql STABLE AS \
            $$ DECLARE result bytea := ''; n record; BEGIN \
            IF bits IS NULL OR NOT EXISTS (SELECT 1 FROM \(table) WHERE entity = owner) THEN RETURN bits; END IF; \
            FOR n IN SELECT CASE WHEN forward THEN old ELSE new END AS f, CASE WHEN forward THEN new ELSE old END AS t \
            FROM \(table) WHERE entity = owner LOOP \
            IF n.f / 8 < length(bits) AND get_bit(bits, n.f) = 1 THEN \
            WHILE length(result) <= n.t / 8 LOOP result := result || '\\x00'::bytea; END LOOP; \
            result := set_bit(result, n.t, 1); END IF; END LOOP; \
            RETURN NULLIF(result, ''); END $$
            """,
        ]
        for change in plan.migration.history {
            for (old, new) in (change.properties ?? [:]).sorted(by: { $0.key < $1.key }) {
                statements.append("INSERT INTO \(table) VALUES (\(change.number), \(old), \(new))")
            }
        }
        return statements
    }

    /// The changes of the history, in the second version's numbers.
    func changeViewStatements(renumbers: Bool) -> [String] {
        let (view, function) = (OwnTables(views).change, views.table("_renumbered"))
        let trigger = views.table("_insert_change")
        let properties = renumbers ? "\(function)(entity, properties, TRUE)" : "properties"
        var statements = [
            "CREATE OR REPLACE VIEW \(view) AS SELECT transaction, position, type, entity, key, count, "
                + "\(properties) AS properties, preserved FROM \(own.change)"
        ]
        guard renumbers else { return ["DROP TRIGGER IF EXISTS _insert ON \(view)"] + statements }
        statements += [
            """
            CREATE FUNCTION \(trigger)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            INSERT INTO \(own.change) (transaction, position, type, entity, key, count, properties, preserved) VALUES \
            (NEW.transaction, NEW.position, NEW.type, NEW.entity, NEW.key, NEW.count, \
            \(function)(NEW.entity, NEW.properties, FALSE), NEW.preserved); RETURN NEW; END $$
            """,
            "CREATE TRIGGER _insert INSTEAD OF INSERT ON \(view) FOR EACH ROW EXECUTE FUNCTION \(trigger)()",
        ]
        return statements
    }
}

extension ExpansionPlan {
    /// The references of the second version that the first lacks, under the names that they have until it is removed.
    var firstReferences: [TableReference] { pairsOfReferences.map(\.first) }

    /// The same under their final names.
    var references: [TableReference] { pairsOfReferences.map(\.final) }

    private var pairsOfReferences: [(first: TableReference, final: TableReference)] {
        let references = TableStatements(model: .init(), schema: migration.destination, hasForeignKeys: true).references
        let tables = Dictionary(views.map { ($0.name, $0) }) { first, _ in first }
        let isNew = Set(
            added.map { "\($0.table).\($0.name)" } + (self.tables.map(\.table.name) + joinTables.map(\.table.name))
        )
        return references.compactMap { reference in
            guard let view = tables[reference.table], let destination = tables[reference.destination],
                let column = view.columns.first(where: { $0.name == reference.column })?.column,
                let key = destination.columns.first(where: { $0.name == reference.key })?.column,
                isNew.contains(view.table) || isNew.contains("\(view.table).\(column)")
            else { return nil }
            var first = reference
            (first.table, first.column, first.destination, first.key) = (view.table, column, destination.table, key)
            return (first, reference)
        }
    }
}
