// Tests the check of fetches against a model: the fetches it must refuse and those it must accept.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL
import Testing

@Suite("Fetches checked against the model")
struct FetchCheckerTests {
    private let checker = FetchChecker(model: SampleModel.model) { $0 == "Task" && $1 == "label" }

    private func error(_ body: () throws -> Void) throws -> TranslationError? {
        do {
            try body()
            return nil
        } catch let error as TranslationError {
            return error
        }
    }

    @Test("An unknown name is found in every part of a fetch, with the nearest one")
    func names() throws {
        let wrong: [(FetchPlan, String, String)] = [
            (
                FetchPlan(entity: "Task", predicate: try parsed("isOverdue == YES OR prioirty == 3")), "prioirty",
                "priority"
            ),
            (FetchPlan(entity: "Task", predicate: try parsed("NOT (location.nam == 'x')")), "location.nam", "name"),
            (FetchPlan(entity: "Task", predicate: try parsed("ANY tags.nmae == 'x'")), "tags.nmae", "name"),
            (
                FetchPlan(entity: "Task", predicate: try parsed("SUBQUERY(tags, $t, $t.rnak > 1).@count > 0")), "rnak",
                "rank"
            ),
            (FetchPlan(entity: "Task", predicate: try parsed("children.@sum.prioritty > 1")), "prioritty", "priority"),
            (FetchPlan(entity: "Task", predicate: try parsed("TERNARY(dne == YES, 1, 2) == 1")), "dne", "done"),
            (FetchPlan(entity: "Task", predicate: try parsed("size.widht > 1")), "size.widht", "width"),
            (FetchPlan(entity: "Task", sort: [SortTerm(["dueDat"])]), "dueDat", "dueDate"),
            (FetchPlan(entity: "Task", sort: [SortTerm(["location", "regin", "name"])]), "location.regin", "region"),
            (FetchPlan(entity: "Task", columns: [.keyPath(["txt"])]), "txt", "text"),
            (
                FetchPlan(
                    entity: "Task",
                    columns: [
                        .expression(name: "n", .function(name: "sum:", target: nil, arguments: [.keyPath(["efort"])]))
                    ]
                ), "efort", "effort"
            ),
            (FetchPlan(entity: "Task", columns: [.keyPath(["text"])], groupBy: [.keyPath(["tekst"])]), "tekst", "text"),
            (
                FetchPlan(
                    entity: "Task",
                    columns: [.keyPath(["text"])],
                    groupBy: [.keyPath(["text"])],
                    having: try parsed("txet == 'a'")
                ), "txet", "text"
            ),
        ]
        for (plan, path, nearest) in wrong {
            let fetchError = try #require(try error { try checker.check(plan) }, "\(path)")
            expectEqual(fetchError.kind, .unknownKey, "\(path)")
            expectEqual(fetchError.entity, "Task")
            #expect(fetchError.expression.contains(path), "\(fetchError)")
            #expect(fetchError.description.contains("\"\(nearest)\""), "\(fetchError)")
        }
        try expectEqual(error { try checker.check(FetchPlan(entity: "Taks")) }?.description.contains("\"Task\""), true)
    }

    @Test(
        "Incomparable values are refused, on either side",
        arguments: [
            "text == priority", "priority == text", "isOverdue == 'x' OR dueDate > 'tomorrow'", "dueDate == 'today'",
            "priority LIKE '1*'",
            "ANY tags.rank == text", "ALL tags.name > priority", "location == 'home'", "location == parent",
            "SELF == 'x'",
            "SUBQUERY(tags, $t, $t.name == $t.rank).@count > 0", "priority BETWEEN {text, text}", "text IN dueDate",
            "tags.@sum.name > 3", "location > nil", "uppercase(priority) == 'A'", "text + 1 == 2", "code == link",
        ]
    )
    func incomparable(_ format: String) throws {
        let fetchError = try #require(
            try error { try checker.check(FetchPlan(entity: "Task", predicate: try parsed(format))) }
        )
        expectEqual(fetchError.kind, .incomparable, "\(fetchError)")
    }

    @Test(
        "Meaningless expressions are refused",
        arguments: [
            "tags == nil", "tags.name == 'x'", "children BETWEEN {1, 2}",
            "priority BETWEEN {1, 2, 3}", "$unbound == 1", "text.@count > 1", "children.@foo == 1",
            "nothing(text) == 1",
        ]
    )
    func meaningless(_ format: String) throws {
        let predicate: PredicateNode
        do { predicate = try parsed(format) } catch { return }
        let fetchError = try #require(try error { try checker.check(FetchPlan(entity: "Task", predicate: predicate)) })
        expectEqual(fetchError.kind, .unsupported, "\(fetchError)")
    }

    @Test(
        "Expressions that Apple's stores accept are accepted",
        arguments: [
            "done == 1", "priority == YES", "amount > 3", "priority >= 2.5", "cost == 1", "text == nil",
            "location == nil",
            "entity.name == 'Task'", "entity == %@", "SELF == %@", "SELF IN %@", "location == %@", "location IN %@",
            "look == %@", "look.anything.at.all == 3", "label == 'computed'", "label.length > 3", "%@ == text",
            "FUNCTION(text, 'uppercaseString') == 'A'", "dueDate < now()", "dueDate > CAST(3, 'NSDate')",
            "CAST(dueDate, 'NSNumber') > 5", "ANY tags.name IN {'a', 'b'}", "NONE children.done == YES",
            "ANY tags == %@",
            "tags CONTAINS %@", "%@ IN tags", "text IN {'a', 3, nil}", "priority IN %@", "text CONTAINS[cd] 'a'",
            "'a' IN text", "ANY {1, 2} == priority", "location.storedIn == 'x'", "location.level == 3",
            "size.width > 3",
            "size != nil", "children.@count > 3", "children.@avg.effort > 1.5", "tags.@max.name == 'x'",
            "steps[0].title == 'a'",
            "steps[SIZE] > 2", "steps[FIRST].weight == 1",
            "SUBQUERY(children, $c, ANY $c.tags.name == text).@count > 0",
            "count(SUBQUERY(children, $c, $c.done == YES)) > 1", "priority + effort * 2 > amount", "text.length > 3",
            "link.absoluteString BEGINSWITH 'http'", "objectID == %@", "self.text == 'a'", "parent.parent.text == 'a'",
            "TERNARY(done == YES, text, nil) == 'a'", "TRUEPREDICATE", "ANYKEY == 3", "bytes == %@", "isOverdue == YES",
            "ANY children.@distinctUnionOfObjects.text == nil", "text MATCHES '.*'", "abs(priority) == 3",
            "modulus:by:(priority, 2) == 0", "tags.@count == children.@count", "children UNION tags == steps",
        ]
    )
    func accepted(_ format: String) throws {
        struct Thing {}
        let predicate: PredicateNode
        do {
            predicate = try PredicateParser.parse(format: format, arguments: [Thing()])
        } catch {
            predicate = try PredicateParser.parse(format: format, arguments: [])
        }
        try expectNil(error { try checker.check(FetchPlan(entity: "Task", predicate: predicate)) })
    }

    @Test("A shape is checked once, not once per fetch")
    func once() throws {
        let store = try SampleStore.known()
        let before = store.translator.cacheCounts
        for number in 0..<5 {
            _ = try store.translate(FetchPlan(entity: "Task", predicate: try parsed("priority == %d", number)))
        }
        let after = store.translator.cacheCounts
        expectEqual(after.misses - before.misses, 1)
        expectEqual(after.hits - before.hits, 4)
    }
}
