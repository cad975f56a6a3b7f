import ExpectationSupport
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import Testing

@Suite("Predicates that cannot be translated to SQL")
struct TranslationErrorTests {
    private func error(_ predicate: PredicateNode, entity: String = "Task") throws -> TranslationError? {
        let store = try SampleStore.known()
        do {
            _ = try store.translate(FetchPlan(entity: entity, predicate: predicate))
            return nil
        } catch let error as TranslationError {
            return error
        }
    }

    @Test func `An unknown name comes with entity, key path and the nearest name`() throws {
        let slip = try #require(try error(try parsed("prioirty == 3")))
        expectEqual(slip.kind, .unknownKey)
        expectEqual(
            slip.description,
            "\"prioirty\" cannot be fetched for entity Task: Task has no property \"prioirty\". "
                + "The nearest existing name is \"priority\"."
        )
        let deep = try #require(try error(try parsed("location.nam == 'x'")))
        expectEqual(
            deep.description,
            "\"location.nam\" cannot be fetched for entity Task: Place has no property \"nam\". "
                + "The nearest existing name is \"name\"."
        )
        let store = try SampleStore.known()
        #expect(throws: TranslationError.self) { try store.translate(FetchPlan(entity: "Taks")) }
        #expect(throws: TranslationError.self) {
            try store.translate(FetchPlan(entity: "Task", sort: [SortTerm(["nowhere"])]))
        }
    }

    @Test(arguments: [
        "isOverdue == YES", "ANY children.isOverdue == YES", "mode(children.priority) == 1",
        "(tags UNION {1}).@count == 1", "children UNION tags == steps",
        "FUNCTION(text, 'fancy') == 1", "look == %@", "ANYKEY == 1",
        "TERNARY(done == YES, cost, priority) / 2 == 1.5",
    ])
    func `What only objects know is told apart`(_ format: String) throws {
        let error = try #require(try error(try parsed(format, Date())))
        expectEqual(error.kind, .needsMemory, "\(error)")
    }

    @Test func `A closure needs memory`() throws {
        let error = try #require(
            try error(.and([try parsed("priority == 1"), .block(PredicateBlock { _, _ in true })]))
        )
        expectEqual(error.kind, .needsMemory)
    }

    @Test func `A fetch that needs memory leaves to the database what that can answer`() throws {
        let store = try SampleStore.known()
        let plan = FetchPlan(
            entity: "Task",
            predicate: try parsed("priority == 3 AND (isOverdue == YES AND text != nil)"),
            sort: [SortTerm(["text"]), SortTerm(["isOverdue"])],
            limit: 5
        )
        let split = try store.translator.split(plan, constants: store.resolvers)
        expectEqual(split.plan.predicate.map { PredicatePrinter.print($0) }, "priority == 3 AND text != nil")
        expectEqual(split.remainder.map { PredicatePrinter.print($0) }, "isOverdue == 1")
        expectEqual(split.plan.limit, 0)
        #expect(split.plan.sort.isEmpty && !split.isSorted)
        try expectEqual(store.rows(split.plan).count, 2)
        var wrong = plan
        wrong.predicate = try parsed("nothing == 3 AND isOverdue == YES")
        #expect(throws: TranslationError.self) { try store.translator.split(wrong) }
    }

    @Test(arguments: [
        "text == done", "dueDate > 5", "text < dueDate", "link > done", "priority CONTAINS 'x'", "code CONTAINS 'x'",
        "location > parent", "tags.@sum.name == 1", "priority + text == 1", "SELF == 5", "priority == text",
        "uppercase(priority) == 'A'", "priority IN 5", "TERNARY(done == YES, text, 1) == 1",
    ])
    func `What cannot be compared is refused`(_ format: String) throws {
        let error = try #require(try error(try parsed(format)))
        expectEqual(error.kind, .incomparable, "\(error)")
    }

    @Test(arguments: [
        "tags == nil", "tags.name == 'x'", "text MATCHES '('", "priority BETWEEN {1}", "priority BETWEEN 3", "$x == 1",
        "text.fancyKey == 1", "priority.length == 1", "size.depth == 1",
        "children.@foo == 1", "children[0].text == 'x'", "priority == {1, 2}", "name.@count == 1",
        "priority.@count == 1", "children.@count.x == 1", "max(priority) == 1",
        "tags.@distinctUnionOfObjects.name.@count == 1", "SUBQUERY(text, $x, $x == 'a').@count == 1",
    ])
    func `What has no meaning is refused with a remedy or a reason`(_ format: String) throws {
        let error = try #require(try error(try parsed(format)))
        #expect(error.kind == .unsupported || error.kind == .unknownKey, "\(error)")
        expectEqual(error.entity, "Task")
        #expect(!error.expression.isEmpty)
    }

    @Test func `The nearest name is found across insertions, swaps and case`() {
        expectEqual(NearestName.of("dueDat", among: ["dueDate", "done"]), "dueDate")
        expectEqual(NearestName.of("duedate", among: ["dueDate", "done"]), "dueDate")
        expectEqual(NearestName.of("txet", among: ["text", "done"]), "text")
        expectNil(NearestName.of("zebra", among: ["text", "done"]))
    }
}
