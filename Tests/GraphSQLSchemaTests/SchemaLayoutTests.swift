// Tests rules that no store of the corpus covers; Documentation/FileFormats.md has the evidence.
import ExpectationSupport
import GraphModel
import GraphSQL
import ModelSupport
import Testing

struct SchemaLayoutTests {
    @Test("Columns are sorted by type group, then by entity, then by name")
    func groups() {
        let types: [(String, AttributeType)] = [
            ("a", .binary), ("b", .transformable), ("c", .uuid), ("d", .uri), ("e", .string), ("f", .decimal),
            ("g", .date), ("h", .double), ("i", .float), ("j", .boolean), ("k", .integer64), ("l", .integer16),
        ]
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(name: "Root", properties: types.map { .attribute($0.0, $0.1) }),
                Entity(name: "Leaf", superentityName: "Root", properties: types.map { .attribute("x" + $0.0, $0.1) }),
            ])
        )
        expectEqual(
            schema.tables[0].columns.map(\.name),
            [
                "ZJ", "ZK", "ZL", "ZXJ", "ZXK", "ZXL", "ZG", "ZH", "ZI", "ZXG", "ZXH", "ZXI", "ZF", "ZXF", "ZE", "ZXE",
                "ZD", "ZXD", "ZC", "ZXC", "ZB", "ZXB", "ZA", "ZXA",
            ]
        )
    }

    @Test("Numbers follow the trees depth first, and the second of two equal columns gets a 1")
    func numbersAndClashes() {
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(name: "Zebra"),
                Entity(name: "Animal", isAbstract: true),
                Entity(name: "Dog", superentityName: "Animal", properties: [.attribute("name", .string)]),
                Entity(name: "Cat", superentityName: "Animal", properties: [.attribute("name", .string)]),
                Entity(name: "Kitten", superentityName: "Cat"),
            ])
        )
        expectEqual(schema.entityOrder, ["Animal", "Cat", "Kitten", "Dog", "Zebra"])
        expectEqual(schema.entities["Animal"]?.familyNumbers, [1, 2, 3, 4])
        expectEqual(schema.entities["Cat"]?.familyNumbers, [2, 3])
        expectEqual(schema.entities["Kitten"]?.superNumber, 2)
        expectEqual(schema.entities["Zebra"]?.isInTree, false)
        expectEqual(schema.tables.map(\.name), ["ZANIMAL", "ZZEBRA"])
        expectEqual(schema.tables[0].columns.map(\.name), ["ZNAME", "ZNAME1"])
        guard case .attribute(let kitten)? = schema.entities["Kitten"]?.properties["name"] else {
            Issue.record("no column")
            return
        }
        expectEqual(kitten.column, "ZNAME")
        expectEqual(schema.tables[0].indexStatements, ["CREATE INDEX ZANIMAL_Z_ENT_INDEX ON ZANIMAL (Z_ENT)"])
    }

    @Test("A key to an entity with subentities has an entity number column; an ordered inverse has an order column")
    func keys() {
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(
                    name: "Folder",
                    properties: [
                        .toMany("notes", "Note", "folder", isOrdered: true),
                        .toMany("marks", "Note", isOrdered: true),
                        .toOne("parent", "Folder"),
                    ]
                ),
                Entity(name: "SmartFolder", superentityName: "Folder"),
                Entity(
                    name: "Note",
                    properties: [
                        .attribute("size", .integer32), .toOne("folder", "Folder", "notes"),
                        .toOne("smart", "SmartFolder"),
                    ]
                ),
            ])
        )
        expectEqual(schema.tables[0].columns.map(\.name), ["ZPARENT", "Z1_PARENT"])
        expectEqual(
            schema.tables[1].columns.map(\.name),
            [
                "ZSIZE", "ZFOLDER", "Z1_FOLDER", "ZSMART", "Z1MARKS", "Z_FOK_FOLDER", "Z_FOK_1MARKS",
            ]
        )
        expectEqual(
            schema.tables[1].indexStatements,
            [
                "CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER)",
                "CREATE INDEX ZNOTE_ZSMART_INDEX ON ZNOTE (ZSMART)",
                "CREATE INDEX ZNOTE_Z1MARKS_INDEX ON ZNOTE (Z1MARKS)",
            ]
        )
    }

    @Test("Indexes whose names are equal but for the case are one, that of a uniqueness constraint if there is one")
    func indexNames() {
        let indexes = ["Title", "unique_TITLE", "old_title"].map {
            FetchIndex(name: $0, elements: [FetchIndexElement(propertyName: "title")])
        }
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(
                    name: "Note",
                    properties: [.attribute("title", .string)],
                    uniquenessConstraints: [["title"]],
                    indexes: indexes
                ),
                Entity(name: "Note_old", properties: [.attribute("title", .string)], indexes: Array(indexes.prefix(1))),
            ])
        )
        expectEqual(
            schema.tables.map(\.indexStatements),
            [
                [
                    "CREATE INDEX Z_Note_title ON ZNOTE (ZTITLE COLLATE BINARY ASC)",
                    "CREATE INDEX Z_Note_old_title ON ZNOTE (ZTITLE COLLATE BINARY ASC)",
                    "CREATE UNIQUE INDEX Z_Note_UNIQUE_title ON ZNOTE (ZTITLE COLLATE BINARY ASC)",
                ],
                [],
            ]
        )
    }

    @Test("Join tables are named after the entity that sorts first, with the numbers of both, as in Contacts' database")
    func joinTables() {
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(name: "Record"),
                Entity(
                    name: "AbstractGroup",
                    superentityName: "Record",
                    properties: [.toMany("parentGroups", "Group", "childGroups")]
                ),
                Entity(
                    name: "Group",
                    superentityName: "AbstractGroup",
                    properties: [
                        .toMany("childGroups", "AbstractGroup", "parentGroups"),
                        .toMany("contacts", "Contact", "parentGroups"),
                    ]
                ),
                Entity(
                    name: "Contact",
                    superentityName: "Record",
                    properties: [.toMany("parentGroups", "Group", "contacts")]
                ),
            ])
        )
        // Record 1, AbstractGroup 2, Group 3, Contact 4.
        expectEqual(
            schema.joinTables.map(\.createStatement).sorted(),
            [
                "CREATE TABLE Z_2PARENTGROUPS ( Z_2CHILDGROUPS INTEGER, Z_3PARENTGROUPS INTEGER, "
                    + "PRIMARY KEY (Z_2CHILDGROUPS, Z_3PARENTGROUPS) )",
                "CREATE TABLE Z_4PARENTGROUPS ( Z_4CONTACTS INTEGER, Z_3PARENTGROUPS1 INTEGER, "
                    + "PRIMARY KEY (Z_4CONTACTS, Z_3PARENTGROUPS1) )",
            ]
        )
    }

    @Test("A many-to-many relationship within one entity is named after the side that sorts last")
    func reflexiveJoinTables() {
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(
                    name: "Node",
                    properties: [
                        .toMany("relatedNodes", "Node", "relatedNodesInverse"),
                        .toMany("relatedNodesInverse", "Node", "relatedNodes"),
                        .toMany("friends", "Node", "friends"),
                    ]
                )
            ])
        )
        expectEqual(
            schema.joinTables.map(\.createStatement).sorted(),
            [
                "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
                "CREATE TABLE Z_1RELATEDNODESINVERSE ( Z_1RELATEDNODES INTEGER, Z_1RELATEDNODESINVERSE INTEGER, "
                    + "PRIMARY KEY (Z_1RELATEDNODES, Z_1RELATEDNODESINVERSE) )",
            ]
        )
    }

    @Test("Transient properties have no column, and composite attributes have those of their elements")
    func columnsThatAreNot() {
        let element = Attribute(common: PropertyCommon(name: "city"), type: .string)
        let address = Attribute(common: PropertyCommon(name: "address"), type: .composite, elements: [element])
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(
                    name: "Person",
                    properties: [
                        .attribute(Attribute(common: PropertyCommon(name: "age", isTransient: true), type: .integer16)),
                        .attribute(address),
                    ]
                )
            ])
        )
        expectEqual(schema.tables[0].columns.map(\.name), ["ZCITY"])
        expectEqual(schema.entities["Person"]?.properties.keys.sorted(), ["address.city"])
    }

    @Test(
        "A circle of superentities is omitted; a key to an entity of another configuration is kept without its number"
    )
    func brokenModels() {
        let schema = StoreSchema(
            model: Model(entities: [
                Entity(name: "A", superentityName: "B"), Entity(name: "B", superentityName: "A"),
                Entity(name: "C", properties: [.toOne("other", "Elsewhere", "x")]),
            ])
        )
        expectEqual(schema.entityOrder, ["C"])
        expectEqual(schema.tables[0].columns.map(\.name), ["ZOTHER"])
        // A file without such a column is accepted.
        let file = ["ZC": ["Z_PK", "Z_ENT", "Z_OPT"]]
        #expect(schema.fitted(to: file).missing(in: file).isEmpty)
        expectEqual(schema.fitted(to: file).entities["C"]?.properties.isEmpty, true)
    }
}
