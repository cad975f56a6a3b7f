// The tables of a store that hold no entity's rows: its identity, its entities' numbers and its history. Their names
// begin with an underscore, as no entity's does.
//
// | table | content |
// | --- | --- |
// | _store | one row about the store: identifier, metadata, model, migrations, history; a migration locks it |
// | _table | the tables of entities and of many-to-many relationships, which are removed with the store |
// | _entity | the number of each entity, as rows of a tree have it |
// | _transaction | one row for each save, by its number |
// | _counter, _pending | in stores of the distributed profile: SaveNumbers |
// | _change | one row for each changed row of a save; one for inserted rows of an entity with successive keys |
import GraphModel
import GraphSQL

/// The names and statements of a store's own tables.
struct OwnTables {
    /// The version of these tables and of the schema's functions.
    static let version: Int64 = 3

    let store: String
    let entity: String
    let transaction: String
    let change: String
    /// The next numbers and keys of a distributed store.
    let counter: String
    /// The numbers of a distributed store's saves.
    let pending: String
    /// The names of the tables that the store has created.
    let table: String
    private let dialect: any SQLDialect

    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
        store = dialect.table("_store")
        entity = dialect.table("_entity")
        transaction = dialect.table("_transaction")
        change = dialect.table("_change")
        counter = dialect.table("_counter")
        pending = dialect.table("_pending")
        table = dialect.table("_table")
    }

    /// The statements that create the tables; the first fails if another process is creating them.
    var createStatements: [String] {
        [
            """
            CREATE TABLE \(store) (id integer PRIMARY KEY CHECK (id = 1), version bigint NOT NULL, uuid text NOT NULL, \
            metadata bytea NOT NULL, model bytea, history_base bigint NOT NULL DEFAULT 0, \
            purged_through bigint NOT NULL DEFAULT 0, generation bigint NOT NULL DEFAULT 0, tables text, profile text)
            """,
            """
            CREATE TABLE \(entity) (number bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, \
            super_number bigint NOT NULL)
            """,
            "CREATE TABLE \(table) (name text COLLATE \"C\" PRIMARY KEY)",
            """
            CREATE TABLE \(transaction) (number bigint PRIMARY KEY, at timestamptz NOT NULL, author text, \
            bundle text NOT NULL, context text, process text NOT NULL)
            """,
            "CREATE INDEX _transaction_at_idx ON \(transaction) (at)",
            """
            CREATE TABLE \(change) (transaction bigint NOT NULL, position integer NOT NULL, type smallint NOT NULL, \
            entity bigint NOT NULL, key bigint NOT NULL, count integer NOT NULL DEFAULT 1, properties bytea, preserved bytea, \
            PRIMARY KEY (transaction, position))
            """,
            "COMMENT ON TABLE \(store) IS 'The store of ManagedGraph in this schema: identity, metadata and model.'",
            "COMMENT ON TABLE \(transaction) IS 'The persistent history: one row for each save.'",
            "COMMENT ON TABLE \(change) IS 'The rows that each save inserted (0), updated (1) or deleted (2).'",
        ]
    }

    /// The statements that bring tables of earlier versions up to date; they can be run again.
    var upgradeStatements: [String] {
        [
            "ALTER TABLE \(store) ADD COLUMN IF NOT EXISTS generation bigint NOT NULL DEFAULT 0",
            "ALTER TABLE \(store) ADD COLUMN IF NOT EXISTS tables text",
            "ALTER TABLE \(store) ADD COLUMN IF NOT EXISTS profile text",
            "ALTER TABLE \(change) ADD COLUMN IF NOT EXISTS count integer NOT NULL DEFAULT 1",
            "UPDATE \(store) SET version = \(Self.version) WHERE version < \(Self.version)",
        ]
    }

    /// The statements that create the further tables of a distributed store, with the counters of its tables.
    func numberStatements(_ schema: StoreSchema) -> [SQLStatement] {
        [
            SQLStatement("CREATE TABLE \(counter) (name text COLLATE \"C\" PRIMARY KEY, next bigint NOT NULL)"),
            SQLStatement("CREATE TABLE \(pending) (number bigint PRIMARY KEY, at timestamptz NOT NULL)"),
        ]
            + ([SaveNumbers.historyCounter] + schema.tables.map(\.name))
            .map { SQLStatement("INSERT INTO \(counter) (name, next) VALUES ($1, 1)", [.text($0)]) }
    }

    /// The rows of the tables' names.
    func tableStatements(_ schema: StoreSchema) -> [SQLStatement] {
        (schema.tables.map(\.name) + schema.joinTables.map(\.name))
            .map { SQLStatement("INSERT INTO \(table) (name) VALUES ($1) ON CONFLICT DO NOTHING", [.text($0)]) }
    }

    /// The rows of the entities' numbers.
    func entityStatements(_ schema: StoreSchema) -> [SQLStatement] {
        schema.entityOrder.compactMap { schema.entities[$0] }
            .map {
                SQLStatement(
                    "INSERT INTO \(entity) (number, name, super_number) VALUES ($1, $2, $3) "
                        + "ON CONFLICT (number) DO UPDATE SET name = EXCLUDED.name, super_number = EXCLUDED.super_number",
                    [.integer($0.number), .text($0.name), .integer($0.superNumber)]
                )
            }
    }
}
