// Dictionaries that tables cannot produce by themselves: from several stores, or with a predicate or an expression that
// has no SQL form. Computed from objects of a separate context, which sees the stores' rows. Called by FetchOperation.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL

/// A fetch of dictionaries in memory.
struct DictionaryFetch<T> {
    private let request: NSFetchRequest<T>
    private let plan: DictionaryPlan
    private let fetch: StoreFetch
    private let layout: ObjectLayout
    /// The names of the columns that are expressions.
    private let expressionNames: Set<String>

    init(_ request: NSFetchRequest<T>, plan: DictionaryPlan, fetch: StoreFetch, layout: ObjectLayout) {
        self.request = request
        self.plan = plan
        self.fetch = fetch
        self.layout = layout
        expressionNames = Set(
            plan.fetch.columns.compactMap { if case .expression(let name, _) = $0 { name } else { nil } }
        )
    }

    /// Computes the dictionaries of the stores' rows in a generation; nil for the newest.
    func run(
        in coordinator: NSPersistentStoreCoordinator,
        generation: NSQueryGenerationToken?
    ) throws -> [[String: Any]] {
        var checked = FetchPlan(entity: fetch.layout.name, predicate: fetch.predicate)
        (checked.columns, checked.groupBy, checked.having) = (plan.fetch.columns, plan.fetch.groupBy, plan.fetch.having)
        checked.sort = fetch.sort
        try coordinator.compiledModel.check { try $0.check(checked) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.isAuxiliary = true
        let fullFetch = NSFetchRequest<NSManagedObject>()
        request.copyContents(to: fullFetch)
        fullFetch.resultType = .managedObjectResultType
        (fullFetch.fetchLimit, fullFetch.fetchOffset, fullFetch.fetchBatchSize) = (0, 0, 0)
        (fullFetch.propertiesToFetch, fullFetch.propertiesToGroupBy, fullFetch.havingPredicate) = (nil, nil, nil)
        // Objects do not have the columns.
        if isSortedByColumn { fullFetch.sortDescriptors = nil }
        return try context.onQueue { () throws in
            if let generation { try context.setQueryGenerationFrom(generation) }
            do {
                return try rows(of: try context.fetch(fullFetch))
            } catch let error as EvaluationError {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The dictionaries cannot be computed: \(error)",
                    remedy: "Correct propertiesToFetch, propertiesToGroupBy or havingPredicate."
                )
            }
        }
    }

    private func rows(of objects: [NSManagedObject]) throws -> [[String: Any]] {
        var result: [ComputedRow] = []
        // By the columns' values: the hash of a dictionary is its count off Apple's platforms.
        var seen: Set<[AnyHashable?]> = []
        for group in try groups(of: objects) {
            var row: [String: Any] = [:]
            // Conditions and orders are those of the values before they have the types of their descriptions.
            var computed: [String: Any] = [:]
            // Nil if a value cannot be compared, such as one of a transformer: the row is kept then.
            var key: [AnyHashable?]? = []
            for (index, column) in plan.fetch.columns.enumerated() {
                guard let value = try value(of: column, group) else {
                    key?.append(nil)
                    continue
                }
                if let part = Self.comparable(value) { key?.append(part) } else { key = nil }
                if case .expression(let name, _) = column { computed[name] = value }
                DictionaryPlan.put(plan.typed(value, column: index), at: plan.places[index][...], into: &row)
            }
            if let having = plan.fetch.having {
                guard try Evaluator(resolved(having, group, computed)).evaluate(group.first) else { continue }
            }
            if plan.fetch.isDistinct, let key, !seen.insert(key).inserted { continue }
            result.append(ComputedRow(values: row, computed: computed, names: expressionNames, object: group.first))
        }
        if isSortedByColumn { result = ordered(result) }
        let rest = result.dropFirst(fetch.offset)
        return (fetch.limit > 0 ? rest.prefix(fetch.limit) : rest).map(\.values)
    }

    /// Whether the order is by the value of an expression.
    private var isSortedByColumn: Bool {
        fetch.sort.contains { $0.keyPath.count == 1 && expressionNames.contains($0.keyPath[0]) }
    }

    private func ordered(_ rows: [ComputedRow]) -> [ComputedRow] {
        let sorts = request.sortDescriptors ?? []
        let order = rows.indices.sorted { a, b in
            for sort in sorts {
                let comparison = sort.compare(rows[a], to: rows[b])
                if comparison != .orderedSame { return comparison == .orderedAscending }
            }
            return a < b
        }
        return order.map { rows[$0] }
    }

    /// Groups the objects, one group for each dictionary; all objects together if only aggregates are requested.
    private func groups(of objects: [NSManagedObject]) throws -> [[NSManagedObject]] {
        guard !plan.fetch.groupBy.isEmpty else {
            let isOneRow = plan.fetch.columns.contains { $0.hasAggregate(in: layout) }
            return isOneRow ? [objects] : objects.map { [$0] }
        }
        var groups: [[NSManagedObject]] = []
        var places: [[AnyHashable?]: Int] = [:]
        for object in objects {
            let key = try plan.fetch.groupBy.map { try value(of: $0, [object]).flatMap(Self.comparable) }
            if let place = places[key] {
                groups[place].append(object)
            } else {
                places[key] = groups.count
                groups.append([object])
            }
        }
        return groups
    }

    /// A value as tables compare it: texts that are only canonically equivalent differ.
    private static func comparable(_ value: Any) -> AnyHashable? {
        (value as? String).map { AnyHashable(ExactText($0)) } ?? value as? AnyHashable
    }

    private func value(of column: PlanColumn, _ group: [NSManagedObject]) throws -> Any? {
        let node: ExpressionNode
        switch column {
        case .keyPath(let path): node = .keyPath(path)
        case .expression(_, let expression): node = try resolved(expression, group, nil)
        case .entityNumber, .primaryKey, .version, .stored, .large, .absent: return nil
        }
        let value = try ExpressionEvaluator(node).evaluate(group.first)
        return (value as? NSManagedObject)?.objectID ?? (value is NSNull ? nil : value)
    }

    // MARK: Aggregates

    /// The expression with its aggregates over the group, and references to other columns, replaced by their values.
    private func resolved(
        _ node: ExpressionNode,
        _ group: [NSManagedObject],
        _ row: [String: Any]?
    ) throws -> ExpressionNode {
        switch node {
        case .function(let name, let target, let arguments):
            if node.isAggregate(in: layout) { return .constant(try aggregate(node, group)) }
            return .function(name: name, target: target, arguments: try arguments.map { try resolved($0, group, row) })
        case .aggregate(let members): return .aggregate(try members.map { try resolved($0, group, row) })
        case .keyPath(let path):
            guard let row, path.count == 1, expressionNames.contains(path[0]) else { return node }
            return .constant(row[path[0]])
        default: return node
        }
    }

    /// The value of a function over a group; as in tables, missing values are left out, and an average of none is nil.
    private func aggregate(_ node: ExpressionNode, _ group: [NSManagedObject]) throws -> Any? {
        guard case .function(let name, _, let arguments) = node, let argument = arguments.first else { return nil }
        let evaluator = ExpressionEvaluator(argument)
        let values = try group.compactMap { object -> Any? in
            let value = try evaluator.evaluate(object)
            return value is NSNull ? nil : value
        }
        if values.isEmpty, FunctionName.named(name, argumentCount: 1) == .average { return nil }
        return try ExpressionEvaluator(.function(name: name, target: nil, arguments: [.constant(values)])).evaluate(nil)
    }

    private func resolved(
        _ node: PredicateNode,
        _ group: [NSManagedObject],
        _ row: [String: Any]
    ) throws -> PredicateNode {
        switch node {
        case .comparison(var comparison):
            comparison.left = try resolved(comparison.left, group, row)
            comparison.right = try resolved(comparison.right, group, row)
            return .comparison(comparison)
        case .and(let parts): return .and(try parts.map { try resolved($0, group, row) })
        case .or(let parts): return .or(try parts.map { try resolved($0, group, row) })
        case .not(let part): return .not(try resolved(part, group, row))
        case .constant, .block: return node
        }
    }
}
