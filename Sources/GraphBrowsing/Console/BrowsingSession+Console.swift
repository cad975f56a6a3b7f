// The console's fetches: run as they are, with their statement and its plan.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import ManagedGraph

extension BrowsingSession {
    /// The greatest number of results without a limit of the request.
    private static let consoleLimit = 500

    /// Runs a fetch, and explains how the store finds its results.
    ///
    /// - Parameter request: The fetch.
    /// - Returns: The results, the statement and its plan.
    /// - Throws: `PredicateProblem` with the place of an error in the predicate; errors for unknown names, and those of
    ///   the store.
    public func run(_ request: ConsoleRequest) async throws -> ConsoleResult {
        let limit = max(1, min(request.limit ?? Self.consoleLimit, 5_000))
        let reader = cells
        let isDictionary =
            !(request.columns ?? []).isEmpty || !(request.aggregates ?? []).isEmpty
            || !(request.groupBy ?? []).isEmpty
        let parts = try ConsoleFetch(request, in: self)
        let swift = parts.swift(limit: request.limit)
        return try await read { [self] context in
            let began = ContinuousClock.now
            var rows: [[BrowserCell]] = []
            var columns: [ConsoleResult.Column] = []
            let plan: ConsoleResult.Plan
            if isDictionary {
                let fetch = parts.dictionaries(limit: limit + 1)
                columns = parts.columns
                let results = try context.fetch(fetch)
                for result in results {
                    rows.append(
                        zip(columns, parts.properties).map { column, property in
                            let value = result[column.name]
                            // The value of a relationship is an identifier.
                            guard let property, property.kind == .attribute else { return reader.cell(value) }
                            return reader.cell(value, property)
                        }
                    )
                }
                plan = try self.plan(fetch, parts)
            } else {
                let fetch = parts.objects(limit: limit + 1)
                let properties = try shapes.columns([], of: request.entity).filter { $0.kind != .toMany }
                columns = [.init(name: "id", isNumber: false)]
                columns += properties.map { .init(name: $0.name, isNumber: $0.cell == .number) }
                fetch.returnsObjectsAsFaults = false
                for object in try context.fetch(fetch) {
                    rows.append(
                        [BrowserCell(.toOne, object: reader.link(object))] + properties.map { reader.cell(object, $0) }
                    )
                }
                plan = try self.plan(fetch, parts)
            }
            let elapsed = ContinuousClock.now - began
            let isLimited = rows.count > limit
            if isLimited { rows.removeLast(rows.count - limit) }
            return ConsoleResult(
                columns: columns,
                rows: rows,
                isLimited: isLimited,
                plan: plan,
                seconds: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18,
                swift: swift
            )
        }
    }

    /// The statement of a fetch and its plan.
    private func plan<Result>(_ fetch: NSFetchRequest<Result>, _ parts: ConsoleFetch) throws -> ConsoleResult.Plan {
        let layout = try coordinator.compiledModel.layout(named: parts.request.entity)
        guard let store = coordinator.rowStores(for: layout).first else {
            return Self.inMemory("no store has its rows")
        }
        var values = StoreFetch(layout: layout.stored)
        values.predicate = fetch.predicate?.node
        values.sort = parts.sort
        // The fetch itself reads one more row, to see whether there are more.
        (values.limit, values.offset) = (max(0, fetch.fetchLimit - 1), fetch.fetchOffset)
        let columns = fetch.resultType == .dictionaryResultType ? try DictionaryPlan(fetch, layout: layout).fetch : nil
        do {
            return try CoreDataError.mapping(store.url) {
                let session = try store.lease(for: nil, holdsSnapshot: false)
                defer { store.giveBack(session) }
                guard let session = session as? any ExplainingReadSession else {
                    return Self.inMemory("the store has no statements")
                }
                return Self.plan(try session.explain(values, columns: columns, isCount: false), values)
            }
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            return Self.inMemory("tables cannot answer this fetch: objects are read, and each is judged in memory")
        }
    }

    private static func inMemory(_ reason: String) -> ConsoleResult.Plan {
        ConsoleResult.Plan(
            sql: nil,
            bindings: [],
            steps: [reason],
            indexes: [],
            rows: 0,
            rowsScanned: 0,
            isSorted: false,
            seconds: 0,
            advice: nil
        )
    }

    private static func plan(_ explanation: FetchExplanation, _ fetch: StoreFetch) -> ConsoleResult.Plan {
        let steps = named(explanation.steps, in: explanation.statement ?? "")
        var indexes: [String] = []
        for step in steps {
            guard let range = step.range(of: "the index ") else { continue }
            let name = step[range.upperBound...].prefix { !$0.isWhitespace && $0 != "," }
            if !indexes.contains(String(name)) { indexes.append(String(name)) }
        }
        var advice: String?
        let compared = fetch.predicate.map { keys($0) } ?? []
        if explanation.scannedRows > 1_000, explanation.scannedRows > 10 * max(1, explanation.rows),
            let key = compared.first
        {
            advice = "An index on \(key) would let the store find these rows without reading the others."
        } else if explanation.isSorted, explanation.scannedRows > 1_000, let first = fetch.sort.first {
            let key = first.keyPath.joined(separator: ".")
            advice = "An index on \(key) has this order, so that the store need not sort."
        }
        return ConsoleResult.Plan(
            sql: explanation.statement,
            bindings: explanation.bindings,
            steps: steps,
            indexes: indexes,
            rows: explanation.rows,
            rowsScanned: explanation.scannedRows,
            isSorted: explanation.isSorted,
            seconds: explanation.seconds,
            advice: advice
        )
    }

    /// The steps with the tables' names in place of the statement's aliases.
    private static func named(_ steps: [String], in sql: String) -> [String] {
        var tables: [String: String] = [:]
        let words = sql.split { $0 == " " || $0 == "," || $0 == "(" || $0 == ")" }.map(String.init)
        for (table, alias) in zip(words, words.dropFirst()) where table.first == "Z" && isAlias(alias) {
            tables[alias] = table
        }
        return steps.map { step in
            let words = step.replacing(" LEFT-JOIN", with: ", if there is one")
                .split(separator: " ", omittingEmptySubsequences: false)
            return words.map { tables[String($0)] ?? String($0) }.joined(separator: " ")
        }
    }

    private static func isAlias(_ word: String) -> Bool {
        word.first == "t" && word.count > 1 && word.dropFirst().allSatisfy(\.isNumber)
    }

    /// The keys that a predicate compares.
    private static func keys(_ node: PredicateNode) -> [String] {
        switch node {
        case .and(let parts), .or(let parts): return parts.flatMap { keys($0) }
        case .not(let part): return keys(part)
        case .comparison(let comparison):
            guard case .keyPath(let path) = comparison.left else { return [] }
            return [path.joined(separator: ".")]
        default: return []
        }
    }
}
