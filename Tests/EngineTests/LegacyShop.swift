// A schema created by another program: keys of several integer types, an enumeration, times without zones, computed
// columns, a column that distinguishes kinds of rows, foreign keys that are checked immediately.
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

/// Tables of another program, and a coordinator over them.
struct LegacyShop {
    let server: PostgreSQLServer
    /// The schema of the tables.
    let tables: String
    /// The schema of the store.
    let schema: String
    let coordinator: NSPersistentStoreCoordinator

    init(_ change: (NSManagedObjectModel) throws -> Void = { _ in }) throws {
        server = try PostgreSQLServer.shared()
        (tables, schema) = (try server.makeSchema(), try server.makeSchema())
        try server.execute(Self.statements(tables))
        let model = Self.model()
        try change(model)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: try url("tables=\(tables)"))
    }

    func url(_ parameters: String...) throws -> URL {
        let all = ["schema=\(schema)"] + parameters
        return try #require(URL(string: server.address("postgres", all.joined(separator: "&"))))
    }

    /// Another coordinator over the same store.
    func other(_ model: NSManagedObjectModel = model(), _ options: [String: Any] = [:]) throws
        -> NSPersistentStoreCoordinator
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: try url(), options: options)
        return coordinator
    }

    func run<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in try body(context) }
    }

    @discardableResult
    func execute(_ statement: String) throws -> [[String?]] {
        try server.execute("SET search_path TO \(tables); \(statement)")
    }

    private static func statements(_ schema: String) -> String {
        """
        SET search_path TO \(schema);
        CREATE TYPE order_state AS ENUM ('open', 'paid', 'sent');
        CREATE TABLE customers (id serial PRIMARY KEY, name varchar(40) NOT NULL, email text UNIQUE NOT NULL,
            code char(6), created_at timestamp NOT NULL DEFAULT now(), active smallint NOT NULL DEFAULT 1,
            lock_version integer NOT NULL DEFAULT 0, note text DEFAULT 'from the database');
        CREATE INDEX ON customers (name);
        CREATE TABLE orders (order_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id integer NOT NULL
            REFERENCES customers, state order_state NOT NULL DEFAULT 'open', day date, net numeric(12,2) NOT NULL,
            gross numeric(12,2) GENERATED ALWAYS AS (net * 1.2) STORED, details jsonb, uid uuid DEFAULT gen_random_uuid());
        CREATE TABLE labels (id smallserial PRIMARY KEY, title text NOT NULL);
        CREATE TABLE order_labels (order_no bigint REFERENCES orders, label_id smallint REFERENCES labels,
            added timestamptz DEFAULT now(), PRIMARY KEY (order_no, label_id));
        CREATE TABLE staff (id serial PRIMARY KEY, name text NOT NULL, boss_id integer REFERENCES staff,
            kind text NOT NULL, bonus integer);
        CREATE TABLE plain (id integer PRIMARY KEY, name text);
        INSERT INTO customers (name, email, code) VALUES ('Zoe', 'zoe@x', 'Z1'), ('adam', 'adam@x', 'A1'),
            ('Änne', 'aenne@x', NULL), ('Bo', 'bo@x', 'B1');
        INSERT INTO orders (customer_id, net, day, details) SELECT 1 + n % 3, n, DATE '2026-01-01' + n, '{"n": 1}'
            FROM generate_series(1, 9) AS n;
        INSERT INTO labels (title) VALUES ('new'), ('old');
        INSERT INTO order_labels (order_no, label_id) VALUES (1, 1), (1, 2), (2, 1);
        INSERT INTO staff (name, boss_id, kind, bonus) VALUES ('Ann', NULL, 'boss', 5), ('Ben', 1, 'worker', NULL),
            ('Tim', 1, 'trainee', NULL);
        INSERT INTO plain VALUES (1, 'one');
        """
    }

    static func model() -> NSManagedObjectModel {
        func entity(_ name: String, _ table: String, _ key: String, _ attributes: [NSAttributeDescription])
            -> NSEntityDescription
        {
            let entity = NSEntityDescription(name, attributes)
            entity.userInfo = ["SQLTable": table, "SQLKeyColumn": key]
            return entity
        }
        func attribute(_ name: String, _ type: NSAttributeType = .stringAttributeType, _ column: String? = nil)
            -> NSAttributeDescription
        {
            let attribute = NSAttributeDescription(name, type)
            if let column { attribute.userInfo = ["SQLColumn": column] }
            return attribute
        }
        let customer = entity(
            "Customer",
            "customers",
            "id",
            [
                attribute("name"), attribute("email"), attribute("code"), attribute("note"),
                attribute("created", .dateAttributeType, "created_at"),
                attribute("isActive", .booleanAttributeType, "active"),
            ]
        )
        customer.userInfo?["SQLVersionColumn"] = "lock_version"
        customer.uniquenessConstraints = [["email"]]
        let order = entity(
            "Order",
            "orders",
            "order_no",
            [
                attribute("state"), attribute("day", .dateAttributeType), attribute("net", .decimalAttributeType),
                attribute("gross", .decimalAttributeType), attribute("details"),
                attribute("identifier", .UUIDAttributeType, "uid"),
            ]
        )
        let label = entity("Label", "labels", "id", [attribute("title")])
        customer.relate("orders", toMany: true, to: order, "customer", rule: .cascadeDeleteRule)
        order.relate("labels", toMany: true, to: label, "orders", inverseToMany: true)
        order.relationshipsByName["customer"]?.userInfo = ["SQLColumn": "customer_id"]
        order.relationshipsByName["labels"]?.userInfo = ["SQLTable": "order_labels", "SQLColumn": "label_id"]
        label.relationshipsByName["orders"]?.userInfo = ["SQLTable": "order_labels", "SQLColumn": "order_no"]
        let person = entity("Person", "staff", "id", [attribute("name")])
        person.userInfo?["SQLEntityColumn"] = "kind"
        person.isAbstract = true
        let worker = NSEntityDescription("Worker")
        worker.userInfo = ["SQLEntityValue": "worker"]
        let boss = NSEntityDescription("Boss", [attribute("bonus", .integer64AttributeType)])
        boss.userInfo = ["SQLEntityValue": "boss"]
        person.subentities = [worker, boss]
        person.relate("team", toMany: true, to: person, "boss")
        person.relationshipsByName["boss"]?.userInfo = ["SQLColumn": "boss_id"]
        let plain = entity("Plain", "plain", "id", [attribute("name")])
        return NSManagedObjectModel([customer, order, label, person, worker, boss, plain])
    }
}
