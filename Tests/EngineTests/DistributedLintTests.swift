// Tests of the lint itself: it must find each feature that the distributed profile excludes.
import ExpectationSupport
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: the lint of the distributed profile")
struct DistributedLintTests {
    @Test(
        "A statement with a feature that distributed databases lack is found",
        arguments: [
            "LOCK TABLE s._transaction IN ROW EXCLUSIVE MODE", "NOTIFY mg", "LISTEN mg",
            "COPY t FROM STDIN (FORMAT binary)", "CREATE TEMP TABLE t (id bigint PRIMARY KEY)",
            "CREATE SEQUENCE s.keys", "SELECT nextval($1::regclass)", "SELECT pg_catalog.setval('s', 1)",
            "SELECT pg_advisory_xact_lock(1)", "SELECT pg_current_xact_id()::text",
            "SELECT 1 FROM pg_snapshot_xip(pg_current_snapshot())", "SELECT pg_xact_status($1)",
            "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (b) DEFERRABLE INITIALLY DEFERRED",
            "SET CONSTRAINTS ALL IMMEDIATE", "CREATE TRIGGER t BEFORE UPDATE ON t EXECUTE FUNCTION f()",
            "CREATE OR REPLACE FUNCTION f() RETURNS int", "DO $$ BEGIN END $$",
            "SELECT \"s\".mg_fold(name) FROM t", "SELECT \"s\".\"mg_fold\"(name) FROM t",
            "SELECT k FROM t FOR SHARE OF t", "SELECT 1 FROM \"Item\" FOR UPDATE", "SET search_path = s", "BEGIN",
            "BEGIN ISOLATION LEVEL READ UNCOMMITTED", "SELECT xmin FROM t", "SELECT * FROM pg_locks",
            "WITH a AS (DELETE FROM t RETURNING k), b AS (DELETE FROM u USING a) UPDATE v SET x = 1",
            "CREATE TABLE s.t (a bigint)", "CREATE UNIQUE INDEX u ON s.t (a)",
        ]
    )
    func excluded(statement: String) {
        var lint = DistributedLint()
        #expect(!lint.problems(statement).isEmpty)
    }

    @Test("A uniqueness constraint needs the first column of its table's key")
    func constraints() {
        var lint = DistributedLint()
        for (statement, count) in [
            ("CREATE TABLE \"s\".\"Item\" (_id bigint, tenant bigint, PRIMARY KEY (tenant, _id))", 0),
            ("CREATE UNIQUE INDEX \"u\" ON \"s\".\"Item\" (\"tenant\" ASC, \"name\")", 0),
            ("CREATE UNIQUE INDEX \"u\" ON \"s\".\"Item\" (\"name\")", 1),
            ("CREATE UNIQUE INDEX \"u\" ON \"t\".\"Item\" (\"tenant\")", 1),
            ("CREATE TABLE \"s\".\"_entity\" (number bigint PRIMARY KEY, name text)", 0),
            ("CREATE UNIQUE INDEX \"u\" ON \"s\".\"_entity\" (name)", 1),
        ] { expectEqual(lint.problems(statement).count, count, "\(statement)") }
    }

    @Test(
        "Texts, names and plain statements are not taken for excluded features",
        arguments: [
            "SELECT 'LOCK TABLE', \"NOTIFY\" FROM \"Copy\" WHERE \"nextval\" = $1",
            "SELECT 1 FROM \"s\".\"_store\" FOR UPDATE",
            "INSERT INTO t SELECT v.k FROM unnest($1) AS v(k) ON CONFLICT DO NOTHING",
            "SET LOCAL lock_timeout = '2s'", "BEGIN ISOLATION LEVEL SERIALIZABLE",
            "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        ]
    )
    func allowed(statement: String) {
        var lint = DistributedLint()
        expectEqual(lint.problems(statement), [])
    }
}
