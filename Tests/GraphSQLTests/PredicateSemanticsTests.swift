import ExpectationSupport
import Foundation
import GraphPredicates
import GraphSQL
import Testing

@Suite("One meaning in memory and in SQL")
struct PredicateSemanticsTests {
    static let formats: [String] = [
        "TRUEPREDICATE", "FALSEPREDICATE", "NOT TRUEPREDICATE", "1 == 1", "NOT (1 == 2)",
        // Comparisons with values and with nil.
        "priority == 3", "priority != 3", "NOT (priority == 3)", "priority < 3", "NOT (priority < 3)",
        "priority <= 1", "priority > 1", "priority >= 3", "3 == priority", "2 < priority", "priority == nil",
        "priority != nil", "NOT (priority != nil)", "priority < nil", "NOT (priority < nil)", "nil == priority",
        "effort == priority", "effort != priority", "effort < priority", "NOT (effort < priority)",
        "priority == 3.0", "priority > 2.5", "amount == 2.5", "amount < 0", "amount == 0", "cost == 3",
        "cost > 2.5", "done == YES", "done == NO", "done != YES", "NOT done == YES", "done == 1", "done == nil",
        "text == note", "text != note", "text == ''", "text < note", "text > 'a'", "text == 'été'",
        "text ==[c] note", "text ==[cd] note", "text !=[c] note", "text ==[d] 'ete'", "text ==[cd] 'ETE'",
        "text <[cd] 'f'", "text >[c] 'strasse'", "text >=[c] 'strasse'", "NOT (text >=[c] 'strasse')",
        "text ==[c] nil", "text !=[cd] 'x'", "text ==[l] 'été'", "text <[l] 'f'", "text UTI-EQUALS 'ÉTÉ'",
        "size.width == 2", "size.height > 2", "size.width == nil",
        // BETWEEN.
        "priority BETWEEN {1, 3}", "NOT (priority BETWEEN {1, 2})", "priority BETWEEN {effort, 9}",
        "text BETWEEN {'a', 'b'}", "text BETWEEN[c] {'STRASSE', 'z'}", "priority BETWEEN {nil, 3}",
        // Texts.
        "text CONTAINS 'r'", "text CONTAINS[c] 'SS'", "text CONTAINS[cd] 'te'", "text CONTAINS ''",
        "NOT (text CONTAINS 'r')", "text CONTAINS nil", "text BEGINSWITH 'S'", "text BEGINSWITH[c] 's'",
        "text BEGINSWITH ''", "NOT text BEGINSWITH 'S'", "text BEGINSWITH[l] 'S'", "text ENDSWITH 'é'",
        "text ENDSWITH[cd] 'E'", "text LIKE '*t*'", "text LIKE[cd] 'E?E'", "text LIKE 'a\\\\*c\\\\?d'", "text LIKE ''",
        "NOT (text LIKE '*t*')", "text MATCHES 'S.*'", "text MATCHES[c] 's.*'", "NOT (text MATCHES 'S.*')",
        "text MATCHES[d] 'e.e'", "note CONTAINS text", "note BEGINSWITH[cd] text", "text LIKE note",
        "text MATCHES '\\\\w+'", "'Straße' CONTAINS text", "link.absoluteString CONTAINS 'org'",
        // IN.
        "priority IN {1, 3}", "NOT (priority IN {1, 3})", "priority IN {}", "NOT (priority IN {})",
        "priority IN {effort, 3}", "priority IN {1, nil}", "NOT (priority IN {1, nil})", "nil IN {priority, 1}",
        "nil IN {1, nil}", "text IN {'été', 'x'}", "text IN[cd] {'ETE', 'STRASSE'}", "NOT (text IN[c] {'x'})",
        "text IN 'a Straße b'", "text IN[c] 'a STRASSE b'", "'S' IN text", "3 IN {priority, effort}",
        "{1, 2, 3} CONTAINS priority", "{'x', 'été'} CONTAINS[cd] note",
        // Compounds.
        "priority == 3 AND done == NO", "priority == 3 OR done == NO", "NOT (priority == 3 AND done == NO)",
        "NOT (priority == 3 OR done == NO)", "NOT (NOT (priority == 3))",
        "done == NO AND (priority == 1 OR text == '')",
        "(done == NO AND priority == 1) OR text == ''", "NOT (NOT (priority < 3) AND NOT (effort < 3))",
        // To-one paths.
        "location.name == 'Kitchen'", "location.name != 'Kitchen'", "location.name == nil", "location == nil",
        "location != nil", "location.region == nil", "location.region.name == 'North'",
        "location.region.name == nil", "location.name == location.region.name", "parent.parent.text == 'Straße'",
        "parent.location.name BEGINSWITH 'K'", "parent.priority > priority", "location.storedIn == 'Shelf'",
        "location.level == 1", "location.level > 1", "location.level == nil",
        "location.entity.name == 'Home'", "location.entity.name != 'Home'", "entity.name == 'Task'",
        "location.entity.name BEGINSWITH 'Ho'", "location.entity.name ==[c] 'HOME'",
        "location.entity.name !=[c] 'home'",
        "location.entity.name IN[c] {'HOME', 'x'}", "entity.name ==[cd] 'tásk'",
        "location.entity.name IN {'Home', 'Shop'}", "parent == SELF",
        "NOT parent == SELF", "parent.objectID == objectID", "SELF == parent.parent", "self.priority == 3",
        // To-many.
        "ANY tags.name == 'red'", "ANY tags.rank > 1", "NOT (ANY tags.name == 'red')", "NONE tags.name == 'red'",
        "ALL tags.rank > 0", "ALL tags.name == 'red'", "NOT (ALL tags.rank > 1)", "ANY tags.name == nil",
        "ANY tags.name != 'red'", "ALL tags.name != nil", "SOME tags.name CONTAINS[c] 'BL'",
        "ANY tags.name IN {'red', 'x'}", "ANY tags.name LIKE 'r*'", "ANY tags.rank BETWEEN {2, 3}",
        "ANY tags.rank == priority", "ANY children.priority == 3", "ALL children.priority == 3",
        "ANY children.children.amount == 0", "ANY children.tags.name == 'Blue'", "ANY children.location.name == nil",
        "ANY children.location.tasks.priority == 1", "ANY children.location.tasks.tags.name == nil",
        "ALL children.location.tasks.priority > 0", "ANY location.tasks.priority == 3",
        "ANY location.tasks.text != 'x'", "ALL location.tasks.priority == 3", "ANY parent.tags.name == 'red'",
        "ANY steps.title == 'two'", "ANY steps == nil", "ANY tags == nil",
        "ANY priority == 3", "ALL priority == 3", "ANY text == nil", "ALL location.name != nil",
        "ANY {1, 2} == priority", "ALL {1, 2} < priority", "ANY {'S', 'x'} IN text", "ANY {1, 2} < effort",
        "tags.name CONTAINS 'red'", "tags.name CONTAINS[c] 'RED'", "'red' IN tags.name", "nil IN tags.name",
        "priority IN tags.rank", "NOT (priority IN tags.rank)", "priority IN children.priority",
        "SELF IN children.parent", "children CONTAINS SELF", "parent IN parent.parent.children",
        // Counts and other aggregates.
        "tags.@count == 0", "tags.@count > 1", "NOT (tags.@count > 1)", "children.@count == 2",
        "children.children.@count == 1", "location.tasks.@count == 0", "location.tasks.@count == 1",
        "children.tags.@count == 2", "tags.@count == children.@count", "tags.@sum.rank == 3",
        "tags.@sum.rank == 0", "tags.@avg.rank == 1.5", "tags.@avg.rank == 1", "tags.@max.rank == 2",
        "tags.@min.rank == nil", "tags.@max.name == 'red'", "steps.@sum.weight > 5",
        "location.tasks.@sum.priority == nil", "location.tasks.@sum.priority > 2", "children.tags.@sum.rank == 2",
        "count:(tags) == 2", "sum(tags.rank) == 3", "average(tags.rank) == 2", "max(tags.rank) == 2",
        "min(steps.weight) == 0", "sum(location.tasks.priority) == 0", "average(location.tasks.priority) == 0",
        "count(tags.@distinctUnionOfObjects.name) == 2", "count(children.@distinctUnionOfObjects.priority) == 2",
        "ANY children.@unionOfObjects.priority == 1", "'red' IN tags.@distinctUnionOfObjects.name",
        "max({priority, effort}) == 7", "min({priority, 2}) == 1", "sum({priority, effort}) > 5",
        "count({priority, effort}) == 2", "average({priority, effort}) == 5",
        // SUBQUERY.
        "SUBQUERY(tags, $t, $t.name == 'red').@count == 1", "SUBQUERY(tags, $t, $t.rank == priority).@count == 0",
        "SUBQUERY(children, $c, $c.priority == 3 AND $c.location != nil).@count > 0",
        "SUBQUERY(children, $c, SUBQUERY($c.tags, $t, $t.rank == $c.priority).@count == 0).@count > 0",
        "SUBQUERY(children, $c, $c.parent == SELF).@count == children.@count",
        "SUBQUERY(children, $c, ANY $c.tags.name == 'Blue').@count > 0",
        "SUBQUERY(tags, $t, $t.name == nil)[SIZE] == 1", "SUBQUERY(tags.name, $n, $n BEGINSWITH 'r').@count == 1",
        "ANY SUBQUERY(tags, $t, $t.rank > 1).name == 'Blue'", "SUBQUERY(tags, $t, $t.rank > 0).@sum.rank > 2",
        "SUBQUERY(location.tasks, $t, $t.priority == 3).@count == 0",
        "SUBQUERY(location.tasks, $t, TRUEPREDICATE).@sum.priority == 0",
        "SUBQUERY(children, $c, NOT ($c.priority < 3)).@count == 1",
        "SUBQUERY(location, $l, $l.name == 'Kitchen').@count == 1", "SUBQUERY(parent, $p, $p.priority > 1).@count == 0",
        "SUBQUERY(parent, $p, SUBQUERY($p.tags, $t, $t.rank > 1).@count > 0 OR $p.note == nil).@count == 0",
        "SUBQUERY(parent, $p, ANY $p.location.tasks.priority == 3).@count == 1",
        "SUBQUERY(children, $c, SUBQUERY($c.location, $l, $l.name != nil).@count == 1).@count > 0",
        "SUBQUERY(parent.location, $l, $l.tasks.@count > 1).@count == 1",
        "SUBQUERY(parent, $p, TRUEPREDICATE)[SIZE] == 1",
        "ANY SUBQUERY(parent, $p, $p.priority > 1).text != nil", "SUBQUERY(parent, $p, $p == SELF.parent).@count == 1",
        "SUBQUERY(SELF, $s, $s.priority == 3).@count == 1",
        // Ordered relationships.
        "steps[0].title == 'one'", "steps[FIRST].title == 'one'", "steps[LAST].title == 'three'",
        "steps[SIZE] == 3", "steps[1].weight == 10", "steps[5].title == nil", "steps[0].task == SELF",
        "steps[0].task.location.name == 'Kitchen'",
        // Arithmetic and functions.
        "priority + 1 == 4", "priority * 2 > effort", "effort / 2 == 3", "effort / 2.0 == 3.5", "effort / 0 == nil",
        "effort / priority == 2", "cost / 2 == 1.5", "cost / 2 == 1", "amount / 2 == 1.25",
        "(cost + 0) / 2 == 1.5", "cost * 1 / 2 == 1.5", "(0 - cost) / 2 == -1.5", "abs(cost) / 2 == 1.5",
        "floor(cost) / 2 == 1.5", "modulus:by:(cost, 4) / 2 == 1.5", "cost ** 1 / 2 == 1.5",
        "CAST(priority, 'NSDecimalNumber') / 2 == 1.5",
        "CAST(dueDate, 'NSDecimalNumber') > 1",
        "effort - priority * 2 == 1",
        "(effort - priority) * 2 == 8", "priority ** 2 == 9", "-priority == -3", "abs(amount) == 1",
        "abs:(priority - 3) == 2", "modulus:by:(effort, 4) == 3", "modulus:by:(amount, 2) == 0.5",
        "sqrt:(effort + 2) == 3", "sqrt(amount) == nil", "floor:(amount) == 2", "ceiling(amount) == 3",
        "trunc:(amount) == 2", "ln:(effort) > 1", "log:(effort) < 1", "exp(priority) > 20", "effort & 3 == 3",
        "(amount * 1e300) & 1 == nil", "~(amount * 1e300) == nil", "(amount | 4) == 6", "(cost | 4) == 7",
        "~cost == -4",
        "(effort | 8) == 15", "effort ^ 1 == 6", "~effort == -8", "effort << 1 == 14", "effort >> 1 == 3",
        "uppercase(text) == 'ÉTÉ'", "lowercase:(note) == 'été'", "canonical:(text) == 'ete'",
        "length:(text) == 6", "length(text) == 0", "text.length == 3", "text.uppercaseString == 'ÉTÉ'",
        "text.capitalizedString == 'Été'", "noindex:(priority) == 3", "noindex:(text) CONTAINS 'r'",
        "priority + nil == nil", "uppercase(text) == nil", "FUNCTION(text, 'length') == 3",
        "FUNCTION(text, 'uppercaseString') == 'ÉTÉ'", "dueDate.timeIntervalSinceReferenceDate == 0",
        "100000 / CAST(dueDate, 'NSNumber') > 1.1", "dueDate.timeIntervalSinceReferenceDate / 172800 == 0.5",
        "modulus:by:(CAST(dueDate, 'NSNumber'), 86399) / 2 == 0.5",
        "CAST(dueDate, 'NSNumber') > 1", "dueDate == CAST(86400, 'NSDate')", "dueDate < CAST(86400, 'NSDate')",
        "dueDate == nil", "bytes.length == 2",
        // TERNARY.
        "TERNARY(priority > 1, text, note) == 'Straße'", "TERNARY(done == YES, 1, 2) == 2",
        "TERNARY(priority == nil, 0, priority) == 0", "TERNARY(text != nil, text, '').length == 0",
        "TERNARY(text ==[c] 'STRASSE', 0, TERNARY(text <[c] 'STRASSE', -1, 1)) == 0",
        "TERNARY(parent != nil, parent, SELF) == SELF",
    ]

    @Test(arguments: formats)
    func `SQL and memory admit the same tasks`(_ format: String) throws {
        let store = try SampleStore.known()
        let node = try parsed(format)
        let memory = try store.keysInMemory("Task", node)
        let sql = try store.keysInSQL("Task", node)
        let statement = try store.translate(FetchPlan(entity: "Task", predicate: node)).statement.text
        expectEqual(sql, memory, "\(statement)")
    }

    @Test(
        "A constant number is compared with texts as written, and a constant text with numbers by its value",
        arguments: [
            ("priority == '3'", "priority == 3"), ("priority == '3.0'", "priority == 3"),
            ("'3' != priority", "priority != 3"), ("priority < '3'", "priority < 3"),
            ("priority IN {'1', '3', 'x'}", "priority IN {1, 3}"),
            ("priority BETWEEN {'1', '3'}", "priority BETWEEN {1, 3}"),
            ("amount > '2'", "amount > 2"), ("priority == 'high'", "FALSEPREDICATE"),
            ("priority != 'nan'", "TRUEPREDICATE"), ("priority < 'nan'", "priority != nil"),
            ("text == 3", "text == '3'"), ("text IN {3, 'été'}", "text IN {'3', 'été'}"), ("text > 3", "text > '3'"),
            ("ANY tags.rank == '1'", "ANY tags.rank == 1"), ("ANY tags.name == 1", "ANY tags.name == '1'"),
        ]
    )
    func affinity(_ format: String, _ plain: String) throws {
        let store = try SampleStore.known()
        let expected = try store.keysInSQL("Task", parsed(plain))
        try expectEqual(store.keysInSQL("Task", parsed(format)), expected)
    }

    @Test(arguments: [
        "storedIn == 'Shelf'", "aisle == 'Shelf' OR storedIn == 'Shelf'", "level == 2", "level == nil",
        "entity.name == 'Shop'", "name == nil", "region.name == 'North'", "ANY tasks.priority == 3",
        "tasks.@count == 1", "ALL tasks.priority == 3",
    ])
    func `Rows of a tree are told apart and their subentities' properties found`(_ format: String) throws {
        let store = try SampleStore.known()
        let node = try parsed(format)
        for entity in ["Place"] + (format.contains("storedIn") || format.contains("aisle") ? [] : ["Home", "Shop"]) {
            try expectEqual(store.keysInSQL(entity, node), store.keysInMemory(entity, node))
        }
    }

    @Test func `Constants of every type meet their columns`() throws {
        let store = try SampleStore.known()
        let tasks = store.objects["Task"] ?? []
        let places = store.objects["Place"] ?? []
        let temporary = SampleObject("Place", -7)
        let cases: [(String, [Any?])] = [
            ("dueDate == %@", [SampleStore.date(0)]), ("dueDate > %@", [SampleStore.date(10)]),
            ("dueDate BETWEEN %@", [[SampleStore.date(-1), SampleStore.date(5)]]),
            ("dueDate IN %@", [[SampleStore.date(0), SampleStore.date(0.5)]]),
            ("code == %@", [SampleStore.uuid(2)]), ("code IN %@", [[SampleStore.uuid(2), SampleStore.uuid(9)]]),
            ("code > %@", [SampleStore.uuid(1)]), ("link == %@", [SampleStore.url("http://b.org/")]),
            ("link IN %@", [Set([SampleStore.url("http://b.org/")])]), ("bytes == %@", [Data([1, 2])]),
            ("done == %@", [true]), ("done == %@", [NSNumber(value: true)]), ("priority == %@", [NSNumber(value: 3)]),
            ("priority == %@", [Int16(3)]), ("priority == %@", [UInt8(3)]), ("amount == %@", [Float(2.5)]),
            ("cost == %@", [Decimal(2)]), ("cost == %@", [NSDecimalNumber(value: 2)]),
            ("text == %@", ["été" as NSString]),
            ("priority == %@", [nil]), ("priority == %@", [NSNull()]), ("priority IN %@", [[1, NSNull()] as [Any]]),
            ("priority IN %@", [NSSet(array: [1, 3])]), ("priority IN %@", [[1.0, 3.0]]),
            ("priority IN %@", [[Any]()]), ("text IN %@", [["été", "x", "y"]]), ("text IN %@", [["a": "été"]]),
            ("location == %@", [places[0]]), ("location != %@", [places[0]]), ("location == %@", [temporary]),
            ("location != %@", [temporary]), ("location IN %@", [[places[0], places[1]]]),
            ("location IN %@", [[temporary]]), ("NOT (location IN %@)", [[places[0]]]),
            ("location == %@", [tasks[0]]), ("location != %@", [tasks[0]]), ("SELF == %@", [tasks[1]]),
            ("SELF IN %@", [[tasks[1], tasks[3]]]), ("NOT (SELF IN %@)", [[tasks[1], tasks[3]]]),
            ("objectID == %@", [tasks[1]]), ("objectID IN %@", [[tasks[1]]]),
            ("ANY tags == %@", [store.objects["Tag"]?[1]]),
            ("ANY tags IN %@", [[store.objects["Tag"]?[0]]]), ("%@ IN tags", [store.objects["Tag"]?[0]]),
            ("tags CONTAINS %@", [store.objects["Tag"]?[0]]), ("NOT tags CONTAINS %@", [store.objects["Tag"]?[0]]),
            ("NONE tags == %@", [store.objects["Tag"]?[0]]), ("parent.location == %@", [places[0]]),
            ("SUBQUERY(tags, $t, $t == %@).@count == 0", [store.objects["Tag"]?[0]]),
            ("SUBQUERY(tags, $t, $t IN %@).@count == 1", [store.objects["Tag"]]),
            ("priority == %@.priority", [tasks[0]]),
            ("%@ CONTAINS text", [["été", "Straße"]]), ("%@ CONTAINS text", ["xStraßex"]),
            ("priority IN %@.tags.rank", [tasks[0]]), ("priority > %@.@count", [[1, 2]]),
            ("ANY %@ > cost", [[Decimal(1), Decimal(3)]]),
            ("location.entity == %@", [SampleEntity(name: "Shop")]), ("entity == %@", [SampleEntity(name: "Task")]),
            ("look == nil", []), ("text == %@", ["e\u{301}te\u{301}"]),
        ]
        for (format, arguments) in cases {
            let node = try PredicateParser.parse(format: format, arguments: arguments)
            let sql = try store.keysInSQL("Task", node)
            try expectEqual(sql, store.keysInMemory("Task", node), "\(format) \(arguments)")
        }
    }

    @Test func `Texts in a long list beside numbers are the numbers that they spell`() throws {
        let store = try SampleStore.known()
        let list = ["2.5", "~0"] + (50..<115).map { String($0) }
        let keys = try store.keysInSQL("Task", parsed("amount IN %@", list))
        try expectEqual(keys, store.keysInSQL("Task", parsed("amount == 2.5")))
        expectEqual(keys.count, 1)
    }

    @Test func `Lists of any length are admitted, of every type`() throws {
        let store = try SampleStore.known()
        for count in [63, 64, 65, 100, 40_000] {
            let lists: [(String, [Any])] = [
                ("priority", (3..<(3 + count)).map { $0 }), ("amount", (0..<count).map { Double($0) - 1 }),
                ("amount", [2.5] + (0..<count).map { $0 }), ("cost", (0..<count).map { Decimal($0) }),
                ("text", ["été", "q\"\\\n"] + (0..<count).map { "x\($0)" }),
                ("dueDate", (0..<count).map { SampleStore.date(Double($0) * 86_400 / 7) }),
                ("code", [SampleStore.uuid(1)] + (0..<count).map { _ in UUID() }),
                ("bytes", [Data([1, 2])] + (0..<count).map { Data([UInt8($0 % 256)]) }),
                (
                    "SELF",
                    [store.objects["Task"]?[2] as Any] + (0..<count).map { SampleObject("Task", Int64($0 + 900)) }
                ),
            ]
            for (name, list) in lists {
                let node = try parsed("\(name) IN %@", list)
                try expectEqual(store.keysInSQL("Task", node), store.keysInMemory("Task", node), "\(name) \(count)")
                let negated = try parsed("NOT (\(name) IN %@)", list)
                try expectEqual(
                    store.keysInSQL("Task", negated),
                    store.keysInMemory("Task", negated),
                    "\(name) \(count)"
                )
            }
        }
    }
}
