import ExpectationSupport
import GraphModel
import GraphSQL
import ModelSupport
import Testing

struct RowStatementsTests {
    private let schema: StoreSchema

    init() {
        schema = StoreSchema(
            model: Model(entities: [
                Entity(
                    name: "Task",
                    properties: [
                        .attribute("text", .string), .attribute("isHighPri", .boolean), .attribute("dueDate", .date),
                        .toOne("location", "Location", "tasks"),
                        .toMany("tags", "Tag", "tasks", isOrdered: true),
                    ]
                ),
                Entity(name: "Chore", superentityName: "Task", properties: [.attribute("effort", .integer16)]),
                Entity(
                    name: "Location",
                    properties: [
                        .attribute("name", .string),
                        .toMany("tasks", "Task", "location", isOrdered: true),
                    ]
                ),
                Entity(
                    name: "Tag",
                    properties: [.toMany("tasks", "Task", "tags")]
                ),
            ])
        )
    }

    @Test("The statements of an entity have its own and its superentities' columns, in the order of the table")
    func rows() throws {
        let task = try #require(RowStatements(schema: schema, entityName: "Task"))
        expectEqual(
            task.insert,
            "INSERT INTO ZTASK(Z_PK, Z_ENT, Z_OPT, ZISHIGHPRI, ZLOCATION, Z_FOK_LOCATION, ZDUEDATE, ZTEXT) "
                + "VALUES(?, \(task.entityNumber), 1, ?, ?, ?, ?, ?)"
        )
        expectEqual(
            task.insert(rows: 2),
            "INSERT INTO ZTASK(Z_PK, Z_ENT, Z_OPT, ZISHIGHPRI, ZLOCATION, Z_FOK_LOCATION, ZDUEDATE, ZTEXT) "
                + "VALUES(?, \(task.entityNumber), 1, ?, ?, ?, ?, ?), (?, \(task.entityNumber), 1, ?, ?, ?, ?, ?)"
        )
        expectEqual(
            task.append(rows: 2),
            "INSERT INTO ZTASK(Z_ENT, Z_OPT, ZISHIGHPRI, ZLOCATION, Z_FOK_LOCATION, ZDUEDATE, ZTEXT) "
                + "VALUES(\(task.entityNumber), 1, ?, ?, ?, ?, ?), (\(task.entityNumber), 1, ?, ?, ?, ?, ?)"
        )
        let chore = try #require(RowStatements(schema: schema, entityName: "Chore"))
        expectEqual(chore.columns, ["ZISHIGHPRI", "ZLOCATION", "Z_FOK_LOCATION", "ZEFFORT", "ZDUEDATE", "ZTEXT"])
        expectEqual(chore.entityNumber, 4)
        expectEqual(
            chore.update(["ZTEXT", "ZEFFORT"]),
            "UPDATE ZTASK SET ZTEXT = ?, ZEFFORT = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = ?"
        )
        expectEqual(
            chore.update(["ZTEXT", "ZEFFORT"], rows: 2),
            "UPDATE ZTASK SET ZTEXT = CASE Z_PK WHEN ?1 THEN ?3 WHEN ?2 THEN ?4 END, "
                + "ZEFFORT = CASE Z_PK WHEN ?1 THEN ?5 WHEN ?2 THEN ?6 END, "
                + "Z_OPT = Z_OPT + 1 WHERE Z_PK IN (?1, ?2) AND Z_OPT = ?7"
        )
        expectEqual(chore.update([]), "UPDATE ZTASK SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = ?")
        expectEqual(chore.delete, "DELETE FROM ZTASK WHERE Z_PK = ? AND Z_OPT = ?")
        expectEqual(task.selectOne(["Z_PK", "ZTEXT"]), "SELECT Z_PK, ZTEXT FROM ZTASK WHERE Z_PK = ?")
        let many = "SELECT Z_PK FROM ZTASK WHERE Z_PK IN (SELECT value FROM json_each(?))"
        expectEqual(task.selectMany(["Z_PK"]), many)
        expectNil(RowStatements(schema: schema, entityName: "Missing"))
    }

    @Test("A join table is written identically from both sides")
    func joins() throws {
        guard case .manyToMany(let tags)? = schema.entities["Task"]?.properties["tags"],
            case .manyToMany(let tasks)? = schema.entities["Tag"]?.properties["tasks"]
        else {
            Issue.record("no join table")
            return
        }
        expectEqual(
            schema.joinTables.map(\.createStatement),
            [
                "CREATE TABLE Z_3TAGS ( Z_3TASKS INTEGER, Z_2TAGS INTEGER, Z_FOK_2TAGS INTEGER, "
                    + "PRIMARY KEY (Z_3TASKS, Z_2TAGS) )"
            ]
        )
        expectEqual(
            JoinStatements(tags).insert,
            "INSERT OR REPLACE INTO Z_3TAGS(Z_3TASKS, Z_2TAGS, Z_FOK_2TAGS) VALUES(?, ?, ?)"
        )
        expectEqual(
            JoinStatements(tasks).insert,
            "INSERT OR REPLACE INTO Z_3TAGS(Z_2TAGS, Z_3TASKS, Z_FOK_2TAGS) VALUES(?, ?, ?)"
        )
        expectEqual(
            JoinStatements(tags).selectOthers,
            "SELECT Z_2TAGS FROM Z_3TAGS WHERE Z_3TASKS = ? ORDER BY Z_FOK_2TAGS"
        )
        expectNil(OrderStatements(tasks))
        expectEqual(
            OrderStatements(tags)?.update,
            "UPDATE Z_3TAGS SET Z_FOK_2TAGS = ? WHERE Z_3TASKS = ? AND Z_2TAGS = ?"
        )
        expectEqual(JoinStatements(tasks).deleteAll, "DELETE FROM Z_3TAGS WHERE Z_2TAGS = ?")
    }
}
