// Random fetches of dictionaries: tables and the evaluation in memory, which a predicate with a closure requires, give the
// same ones. FETCH_SEED repeats a run, FETCH_CASES sets its length.
import ExpectationSupport
import Foundation
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

private typealias NSExpression = ManagedGraph.NSExpression

struct DictionaryAgreementTests {
    @Test func `Tables and memory give the same dictionaries`() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["FETCH_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        let count = environment["FETCH_CASES"].flatMap { Int($0) } ?? 200
        var random = SeededNumbers(seed: seed)
        let stack = try Stack()
        try stack.context.run { () throws in
            try Self.fill(stack.context, &random)
            var failures = 0
            for _ in 0..<count {
                let request = Self.request(&random)
                let predicate = request.predicate
                func answer(_ predicate: NSPredicate?) -> String {
                    request.predicate = predicate
                    do {
                        let isSorted = request.sortDescriptors?.isEmpty == false
                        let rows = try stack.context.fetch(request).map(Self.text)
                        return (isSorted ? rows : rows.sorted()).joined(separator: "\n")
                    } catch {
                        return "error"
                    }
                }
                let inTables = answer(predicate)
                let closure = NSPredicate { _, _ in true }
                let inMemory = answer(
                    NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, closure].compactMap { $0 })
                )
                guard inTables != inMemory else { continue }
                request.predicate = predicate
                Issue.record("FETCH_SEED=\(seed): \(Self.text(of: request))\ntables\n\(inTables)\nmemory\n\(inMemory)")
                failures += 1
                if failures > 5 { return }
            }
        }
    }

    private static func fill(_ context: NSManagedObjectContext, _ random: inout SeededNumbers) throws {
        let locations = ["x", "y", nil].map { name -> TestLocation in
            let location = TestLocation(context: context)
            location.name = name
            return location
        }
        let tags = ["r", "s", nil].map { name -> NSManagedObject in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue(name, forKey: "name")
            return tag
        }
        for _ in 0..<20 {
            let task = TestTask(context: context)
            task.priority = Int16(random.pick([-2, 0, 1, 3]))
            if random.chance(70) { task.text = random.pick(["", "a", "A", "á", "a\u{301}", "12"]) }
            if random.chance(70) { task.setValue(random.pick([-1.5, 0, 2.25, 3]), forKey: "weight") }
            if random.chance(70) { task.setValue(random.chance(50), forKey: "done") }
            if random.chance(70) { task.setValue(Decimal(random.pick([-3, 0, 5, 10])) / 4, forKey: "price") }
            if random.chance(70) {
                task.setValue(Date(timeIntervalSinceReferenceDate: random.pick([0, 1.5, -7])), forKey: "dueDate")
            }
            if random.chance(70) { task.location = random.pick(locations) }
            if random.chance(50) { task.setValue(Set(tags.filter { _ in random.chance(50) }), forKey: "tags") }
        }
        try context.save()
    }

    private static let attributes = [
        "text", "priority", "dueDate", "done", "weight", "price", "location", "location.name", "identifier",
    ]
    private static let aggregates = [
        "count:(text)", "sum:(priority)", "max:(entity.name)", "sum:(weight)", "average:(priority)", "average:(weight)",
        "min:(text)",
        "max:(text)", "min:(weight)", "max:(dueDate)", "sum:(price)", "max:(price)",
        "sum:(priority) + 1", "max:(priority) - min:(priority)", "median:(weight)", "stddev:(weight)", "@count",
        "@max.priority", "@sum.weight", "sum:(done)", "count:(location)", "sum:(priority * 2)", "average:(weight) / 2",
        "sum:(priority) / 2", "count:(priority) / 2",
    ]
    private static let ofOtherKinds: Set = ["max:(text)", "min:(text)", "max:(dueDate)", "max:(entity.name)"]
    private static let plain = [
        "priority + 1", "weight * 2", "uppercase:(text)", "priority / 2", "weight / 0", "text.length", "tags.@count",
        "TERNARY(done == YES, 1, 2)", "max:({priority, weight})", "priority ** 2", "price / 2", "abs:(weight)",
        "count:(tags)", "@distinctUnionOfObjects.priority", "floor:(weight)", "CAST(priority, 'NSString')",
        "location.tasks.@sum.weight",
        "location.tasks.@max.priority", "SUBQUERY(tags, $t, $t.name == 'r').@count", "SELF", "objectID", "entity.name",
    ]
    private static let types: [NSAttributeType] = [
        .undefinedAttributeType, .undefinedAttributeType, .undefinedAttributeType, .integer64AttributeType,
        .integer16AttributeType, .doubleAttributeType, .booleanAttributeType,
    ]

    private static func column(_ name: String, _ format: String, _ random: inout SeededNumbers)
        -> NSExpressionDescription
    {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(format: format)
        column.expressionResultType = random.pick(types)
        return column
    }

    private static func request(_ random: inout SeededNumbers) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Task")
        request.resultType = .dictionaryResultType
        var keys = attributes.filter { _ in random.chance(25) }
        var columns: [Any] = []
        if random.chance(60) {
            request.predicate = NSPredicate(
                format: random.pick([
                    "priority > 0", "weight != nil", "priority > 99", "ANY tags.name == 'r'", "location.name == 'x'",
                ])
            )
        }
        var sorts: [String] = []
        if random.chance(50) {
            // Groups, or all rows.
            let first = random.pick(aggregates)
            columns.append(column("c0", first, &random))
            for number in 1..<random.pick([1, 2, 3]) {
                columns.append(column("c\(number)", random.pick(aggregates), &random))
            }
            if random.chance(25) { keys = [] }
            if !keys.isEmpty {
                var groups: [Any] = keys
                if random.chance(25) {
                    let extra = column(
                        "g",
                        random.pick(["priority + 1", "uppercase:(text)", "weight * 2", "text.length"]),
                        &random
                    )
                    columns.append(extra)
                    groups.append(extra)
                }
                request.propertiesToGroupBy = groups
                if random.chance(50), !Self.ofOtherKinds.contains(first) {
                    request.havingPredicate = NSPredicate(
                        format: random.pick([
                            "count:(text) > 1", "sum:(priority) > 0", "c0 > 0", "c0 == nil", "c0 != nil",
                            "max:(weight) > 1 AND c0 < 3",
                            "NOT (c0 > 1.5)", "average:(weight) == nil", "c0 == 1 OR count:(priority) == 1",
                        ])
                    )
                }
                if random.chance(50) { sorts = keys.filter { $0 != "location" } }
                // Ties have no order.
                if sorts.count < groups.count { sorts = [] }
            }
        } else {
            for number in 0..<random.pick([0, 0, 1, 2]) {
                columns.append(column("c\(number)", random.pick(plain), &random))
            }
            request.returnsDistinctResults = random.chance(50)
        }
        if keys.isEmpty && columns.isEmpty { keys = ["text"] }
        request.propertiesToFetch = keys + columns
        request.sortDescriptors = sorts.map { NSSortDescriptor(key: $0, ascending: random.chance(50)) }
        return request
    }

    private static func text(_ row: NSDictionary) -> String {
        row.allKeys.compactMap { $0 as? String }.sorted().map { key in
            let value = row[key]
            switch value {
            case let number as NSNumber: return "\(key): \(number.doubleValue)"
            case let text as String: return "\(key): '\(text.unicodeScalars.map { String($0.value, radix: 16) })'"
            case let date as Date:
                let seconds = date.timeIntervalSinceReferenceDate
                return "\(key): date \(seconds > 1e6 ? 1 : seconds)"
            case let value?: return "\(key): \(value)"
            case nil: return "\(key): nil"
            }
        }.joined(separator: ", ")
    }

    private static func text(of request: NSFetchRequest<NSDictionary>) -> String {
        let columns = (request.propertiesToFetch ?? []).map { column in
            (column as? NSExpressionDescription).map {
                "\($0.name) = \($0.expression.map { "\($0)" } ?? "") as \($0.expressionResultType.rawValue)"
            } ?? "\(column)"
        }
        let groups = (request.propertiesToGroupBy ?? []).map { ($0 as? NSExpressionDescription)?.name ?? "\($0)" }
        return
            "\(columns) where \(request.predicate?.description ?? "") by \(groups) having \(request.havingPredicate?.description ?? "") sorted \((request.sortDescriptors ?? []).map { $0.key ?? "" }) distinct \(request.returnsDistinctResults)"
    }
}
