// Tests the names of the tables of many-to-many relationships and of their columns. The expected names were read from
// Apple's files; the last tests compare them with every available file.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ModelSupport
import Testing

@Suite("Join tables have the names that Apple's framework gives them")
struct JoinTableTests {
    /// Every join table as `TABLE(COLUMN, COLUMN, …)`.
    private static func tables(_ entities: [Entity]) -> [String] {
        StoreSchema(model: Model(entities: entities)).joinTables.map { table in
            "\(table.name)(\(table.columns.map(\.name).joined(separator: ", ")))"
        }
        .sorted()
    }

    /// As in the store of a health app: subentities of one root, each related to the same entity.
    private static let tagged: [Entity] = [
        Entity(name: "Base"),
        Entity(name: "Contact", superentityName: "Base", properties: [.toMany("tags", "Tag", "contacts")]),
        Entity(name: "Outcome", superentityName: "Base", properties: [.toMany("tags", "Tag", "outcomes")]),
        Entity(
            name: "Tag",
            superentityName: "Base",
            properties: [
                .toMany("contacts", "Contact", "tags"), .toMany("outcomes", "Outcome", "tags"),
                .toMany("works", "Work", "tags"),
            ]
        ),
        Entity(name: "Work", superentityName: "Base", properties: [.toMany("tags", "Tag", "works")]),
    ]

    @Test("The entity whose name sorts first owns a table; repeated column names get a number per entity")
    func numberedColumns() {
        // Base 1, Contact 2, Outcome 3, Tag 4, Work 5: Tag sorts before Work, so it owns their table.
        expectEqual(
            Self.tables(Self.tagged),
            [
                "Z_2TAGS(Z_2CONTACTS, Z_4TAGS)", "Z_3TAGS(Z_3OUTCOMES, Z_4TAGS1)", "Z_4WORKS(Z_4TAGS2, Z_5WORKS)",
            ]
        )
    }

    @Test("Column names must be unique in the relationship's destination entity, not in the whole tree")
    func columnsOfDifferentEntities() {
        // Two relationships with one name lead to two entities of one tree: neither column needs a number.
        let entities = [
            Entity(name: "A", properties: [.toMany("users", "Left", "as")]),
            Entity(name: "B", properties: [.toMany("users", "Right", "bs")]),
            Entity(name: "Left", superentityName: "User", properties: [.toMany("as", "A", "users")]),
            Entity(name: "Right", superentityName: "User", properties: [.toMany("bs", "B", "users")]),
            Entity(name: "User"),
        ]
        expectEqual(Self.tables(entities), ["Z_1USERS(Z_1AS, Z_4USERS)", "Z_2USERS(Z_2BS, Z_5USERS)"])
        let same = [
            Entity(name: "Message", properties: [.toMany("users", "User", "messages")]),
            Entity(name: "Reaction", properties: [.toMany("users", "User", "reactions")]),
            Entity(
                name: "User",
                properties: [
                    .toMany("messages", "Message", "users"), .toMany("reactions", "Reaction", "users"),
                ]
            ),
        ]
        expectEqual(Self.tables(same), ["Z_1USERS(Z_1MESSAGES, Z_3USERS)", "Z_2USERS(Z_2REACTIONS, Z_3USERS1)"])
    }

    @Test(
        "An inherited relationship counts for the entity that sorts first, with the number of the declaring entity"
    )
    func inheritedRelationships() {
        // Apple (2) inherits from Zoo (1): as Apple sorts before Book (3 by name), Zoo's side owns the table.
        let entities = [
            Entity(name: "Zoo", properties: [.toMany("books", "Book", "zoos")]),
            Entity(name: "Apple", superentityName: "Zoo"),
            Entity(name: "Book", properties: [.toMany("zoos", "Zoo", "books")]),
        ]
        expectEqual(Self.tables(entities), ["Z_2BOOKS(Z_2ZOOS, Z_1BOOKS)"])
        // Without the subentity, Book sorts first.
        expectEqual(Self.tables([entities[0], entities[2]]), ["Z_1ZOOS(Z_1BOOKS, Z_2ZOOS)"])
    }

    @Test("The relationships of an entity are named in descending order")
    func descendingNames() {
        let entities = [
            Entity(
                name: "Node",
                properties: [
                    .toMany("ignored", "Node", "ignoredBy"), .toMany("ignoredBy", "Node", "ignored"),
                    .toMany("peers", "Node", "peers"),
                ]
            )
        ]
        expectEqual(Self.tables(entities), ["Z_1IGNOREDBY(Z_1IGNORED, Z_1IGNOREDBY)", "Z_1PEERS(Z_1PEERS, REFLEXIVE)"])
    }

    @Test("The order columns follow the numbered key columns")
    func orderColumns() {
        let entities = [
            Entity(name: "A", properties: [.toMany("tags", "T", "as")]),
            Entity(name: "B", properties: [.toMany("tags", "T", "bs", isOrdered: true)]),
            Entity(name: "T", properties: [.toMany("as", "A", "tags"), .toMany("bs", "B", "tags")]),
        ]
        expectEqual(Self.tables(entities).last, "Z_2TAGS(Z_2BS, Z_3TAGS1, Z_FOK_3TAGS1)")
    }

    @Test("If several relationships name one inverse, the inverse keeps its table with the one that it names")
    func oneSidedInverses() throws {
        let entities = [
            Entity(name: "A", properties: [.toMany("x", "B", "y"), .toMany("other", "B", "y")]),
            Entity(name: "B", properties: [.toMany("y", "A", "x")]),
        ]
        let schema = StoreSchema(model: Model(entities: entities))
        guard case .manyToMany(let x)? = schema.entities["A"]?.properties["x"],
            case .manyToMany(let y)? = schema.entities["B"]?.properties["y"]
        else {
            Issue.record("a relationship has no table")
            return
        }
        expectEqual(x.joinTable, y.joinTable)
        expectEqual(x.ownColumn, y.otherColumn)
        expectEqual(x.otherColumn, y.ownColumn)
        // The third relationship is laid out as one without an inverse.
        let alone = StoreSchema(
            model: Model(entities: [
                Entity(name: "A", properties: [.toMany("x", "B", "y"), .toMany("other", "B", nil)]),
                entities[1],
            ])
        )
        expectEqual(schema.joinTables.map(\.name), alone.joinTables.map(\.name))
        expectEqual(schema.tables.map(\.columns), alone.tables.map(\.columns))
    }

    // MARK: Files

    /// The tables of a file with this schema, with renamed join tables and columns.
    private static func file(_ schema: StoreSchema, _ rename: (String) -> String) -> [String: [String]] {
        var tables: [String: [String]] = [:]
        for table in schema.tables { tables[table.name] = ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name) }
        for table in schema.joinTables { tables[rename(table.name)] = table.columns.map { rename($0.name) } }
        return tables
    }

    private static func joins(_ schema: StoreSchema, _ entity: String) -> [String] {
        (schema.entities[entity]?.properties ?? [:]).sorted { $0.key < $1.key }.compactMap { _, place in
            guard case .manyToMany(let join) = place else { return nil }
            return "\(join.joinTable): \(join.ownColumn) → \(join.otherColumn)"
        }
    }

    @Test("A table that a migration named after its other side is found by its columns")
    func tablesOfTheOtherSide() {
        let schema = StoreSchema(model: Model(entities: Self.tagged))
        let file = Self.file(schema) { $0 == "Z_4WORKS" ? "Z_5TAGS" : $0 }
        let fitted = schema.fitted(to: file)
        #expect(fitted.missing(in: file).isEmpty)
        expectEqual(Self.joins(fitted, "Work"), ["Z_5TAGS: Z_5WORKS → Z_4TAGS2"])
    }

    @Test("Columns with other repetition numbers are found, one table for each relationship")
    func otherNumbers() {
        let schema = StoreSchema(model: Model(entities: Self.tagged))
        let names = ["Z_4TAGS": "Z_4TAGS2", "Z_4TAGS1": "Z_4TAGS", "Z_4TAGS2": "Z_4TAGS1", "Z_3TAGS": "Z_4OUTCOMES"]
        let file = Self.file(schema) { names[$0] ?? $0 }
        let fitted = schema.fitted(to: file)
        #expect(fitted.missing(in: file).isEmpty)
        expectEqual(Self.joins(fitted, "Contact"), ["Z_2TAGS: Z_2CONTACTS → Z_4TAGS2"])
        expectEqual(Self.joins(fitted, "Outcome"), ["Z_4OUTCOMES: Z_3OUTCOMES → Z_4TAGS"])
        expectEqual(Self.joins(fitted, "Work"), ["Z_4WORKS: Z_5WORKS → Z_4TAGS1"])
        // A table that could belong to two relationships is assigned to neither.
        let doubtful = ["ZBASE": file["ZBASE"] ?? [], "Z_9X": ["Z_2CONTACTS9", "Z_3OUTCOMES9", "Z_4TAGS9"]]
        expectEqual(schema.fitted(to: doubtful).missing(in: doubtful).count, 3)
    }

    @Test("Every collected store has the join tables that its model requires")
    func collectedJoinTables() throws {
        var stores = 0
        var tables = 0
        for store in Collections.files(.sqliteStore) {
            let copy = try store.copy()
            defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
            let connection = try Connection(path: copy.path)
            defer { connection.close() }
            guard let model = try AppleStoreTests.carriedModel(connection, store) else { continue }
            let schema = StoreSchema(model: model, numbers: try StoreFile.entityNumbers(connection))
            let ours = schema.joinTables.map { "\($0.name) \($0.columns.map(\.name))" }.sorted()
            let apples = try connection.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY name"
            )
            .compactMap { row -> String? in
                guard case .text(let name)? = row.first else { return nil }
                return "\(name) \(try connection.columnNames(of: name))"
            }
            expectEqual(ours, apples, "\(store)")
            if !apples.isEmpty { stores += 1 }
            tables += apples.count
        }
        print("\(tables) join tables of \(stores) stores are named as their models say")
        #expect(stores >= Collections.least(4, fixtures: 4) && tables >= Collections.least(14, fixtures: 4))
    }
}
