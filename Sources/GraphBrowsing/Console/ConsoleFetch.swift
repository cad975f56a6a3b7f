// A console's fetch with its texts read: predicate, sort, columns and aggregates. Created by BrowsingSession.
import Foundation
import GraphEngine
import GraphPredicates
import ManagedGraph

/// The parts of a console's fetch.
struct ConsoleFetch: @unchecked Sendable {
    // Unchecked: predicates without blocks are immutable.
    let request: ConsoleRequest
    let sort: [SortTerm]
    let columns: [ConsoleResult.Column]
    /// The property of each column; nil for aggregates.
    let properties: [PropertySummary?]
    private let predicate: NSPredicate?
    private let having: NSPredicate?

    init(_ request: ConsoleRequest, in session: BrowsingSession) throws {
        self.request = request
        _ = try session.shapes.required(request.entity)
        predicate = try request.predicate.flatMap { try session.predicate($0, entity: request.entity) }
        sort = (request.sort ?? []).filter { !$0.isEmpty }.map { key in
            let isDescending = key.hasPrefix("-")
            let path = isDescending || key.hasPrefix("+") ? key.dropFirst() : key[...]
            return SortTerm(path.split(separator: ".").map(String.init), ascending: !isDescending)
        }
        let shapes = session.shapes
        let paths = request.groupBy ?? []
        // Columns that are groups anyway are not repeated.
        let plain = paths + (request.columns ?? []).filter { !paths.contains($0) }
        for path in plain where shapes.property(path, of: request.entity) == nil && !path.contains("@") {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(request.entity) has no property \(path).",
                remedy: "Use one of: "
                    + (shapes[request.entity]?.properties.map(\.name) ?? []).joined(separator: ", ") + "."
            )
        }
        for aggregate in request.aggregates ?? [] {
            guard let function = FunctionName.named(aggregate.function, argumentCount: 1), function.isAggregate else {
                let all = FunctionName.allCases.filter(\.isAggregate).map { $0.rawValue.dropLast() }
                throw CoreDataError.make(
                    NSCoreDataError,
                    "There is no aggregate \(aggregate.function).",
                    remedy: "Use one of: \(all.joined(separator: ", "))."
                )
            }
        }
        columns =
            plain.map { path in
                ConsoleResult.Column(
                    name: path,
                    isNumber: shapes.property(path, of: request.entity)?.cell == .number || path.contains("@")
                )
            }
            + (request.aggregates ?? []).map { ConsoleResult.Column(name: $0.name, isNumber: true) }
        properties =
            plain.map { shapes.property($0, of: request.entity) } + (request.aggregates ?? []).map { _ in nil }
        having = try request.having.flatMap { format in
            if format.allSatisfy(\.isWhitespace) { return nil }
            do {
                return NSPredicate.make(try PredicateParser.parse(input: format, arguments: []))
            } catch let error as PredicateFormatError {
                throw PredicateProblem(
                    message: "In the condition on groups: \(error.message)",
                    remedy: error.expected.isEmpty ? nil : "Enter \(error.expected).",
                    place: error.position,
                    length: 0
                )
            }
        }
    }

    private func fill<Result>(_ fetch: NSFetchRequest<Result>, limit: Int) {
        fetch.predicate = predicate
        fetch.sortDescriptors = sort.map {
            NSSortDescriptor(key: $0.keyPath.joined(separator: "."), ascending: $0.ascending)
        }
        fetch.fetchLimit = limit
        fetch.fetchOffset = max(0, request.offset ?? 0)
    }

    /// The fetch of objects.
    func objects(limit: Int) -> NSFetchRequest<NSManagedObject> {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: request.entity)
        fill(fetch, limit: limit)
        return fetch
    }

    /// The fetch of columns or groups.
    func dictionaries(limit: Int) -> NSFetchRequest<NSDictionary> {
        let fetch = NSFetchRequest<NSDictionary>(entityName: request.entity)
        fill(fetch, limit: limit)
        fetch.resultType = .dictionaryResultType
        let aggregates = request.aggregates ?? []
        fetch.propertiesToFetch =
            columns.dropLast(aggregates.count).map { column -> Any in
                column.name.contains("@")
                    ? Self.column(column.name, GraphPredicates.NSExpression(forKeyPath: column.name)) : column.name
            } + aggregates.map { column(of: $0) }
        if let groups = request.groupBy, !groups.isEmpty { fetch.propertiesToGroupBy = groups }
        fetch.havingPredicate = having
        fetch.returnsDistinctResults = request.isDistinct ?? false
        return fetch
    }

    private func column(of aggregate: ConsoleRequest.Aggregate) -> Any {
        let path = aggregate.key.flatMap { $0.isEmpty ? nil : $0 }
        let argument =
            path.map { GraphPredicates.NSExpression(forKeyPath: $0) }
            ?? GraphPredicates.NSExpression.expressionForEvaluatedObject()
        let function = FunctionName.named(aggregate.function, argumentCount: 1)?.rawValue ?? "count:"
        let description = Self.column(
            aggregate.name,
            GraphPredicates.NSExpression(forFunction: function, arguments: [argument])
        )
        if function == FunctionName.count.rawValue { description.expressionResultType = .integer64AttributeType }
        return description
    }

    private static func column(_ name: String, _ expression: GraphPredicates.NSExpression) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        return description
    }

    /// The fetch in Swift, for a program.
    func swift(limit: Int?) -> String {
        let isDictionary = !columns.isEmpty
        func list(_ texts: [String]) -> String { "[" + texts.map(PredicateText.quoted).joined(separator: ", ") + "]" }
        let type = isDictionary ? "NSDictionary" : "NSManagedObject"
        var lines = ["let request = NSFetchRequest<\(type)>(entityName: \(PredicateText.quoted(request.entity)))"]
        if let predicate {
            lines.append("request.predicate = NSPredicate(format: \(PredicateText.quoted(predicate.description)))")
        }
        if !sort.isEmpty {
            let terms = sort.map {
                "NSSortDescriptor(key: \(PredicateText.quoted($0.keyPath.joined(separator: "."))), ascending: \($0.ascending))"
            }
            lines.append("request.sortDescriptors = [\(terms.joined(separator: ", "))]")
        }
        if isDictionary {
            lines.append("request.resultType = .dictionaryResultType")
            var names: [String] = columns.dropLast((request.aggregates ?? []).count).map {
                PredicateText.quoted($0.name)
            }
            for (place, name) in names.enumerated() where name.contains("@") {
                let variable = "computed\(place + 1)"
                lines += [
                    "let \(variable) = NSExpressionDescription()", "\(variable).name = \(name)",
                    "\(variable).expression = NSExpression(forKeyPath: \(name))",
                ]
                names[place] = variable
            }
            for aggregate in request.aggregates ?? [] {
                let name = aggregate.name
                let function = FunctionName.named(aggregate.function, argumentCount: 1)?.rawValue ?? "count:"
                let argument =
                    aggregate.key.map { "NSExpression(forKeyPath: \(PredicateText.quoted($0)))" }
                    ?? "NSExpression.expressionForEvaluatedObject()"
                lines += [
                    "let \(name) = NSExpressionDescription()", "\(name).name = \(PredicateText.quoted(name))",
                    "\(name).expression = NSExpression(forFunction: \(PredicateText.quoted(function)), arguments: [\(argument)])",
                ]
                names.append(name)
            }
            lines.append("request.propertiesToFetch = [\(names.joined(separator: ", "))]")
        }
        if let groups = request.groupBy, !groups.isEmpty {
            lines.append("request.propertiesToGroupBy = \(list(groups))")
        }
        if let having {
            lines.append(
                "request.havingPredicate = NSPredicate(format: \(PredicateText.quoted(having.description)))"
            )
        }
        if request.isDistinct == true { lines.append("request.returnsDistinctResults = true") }
        if let limit { lines.append("request.fetchLimit = \(limit)") }
        lines.append("let results = try context.fetch(request)")
        return lines.joined(separator: "\n")
    }
}
