// Predicates that a person types: reading, checking and completing them.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import ManagedGraph

extension BrowsingSession {
    /// Reads a predicate; nil for an empty text.
    ///
    /// - Throws: `PredicateProblem`.
    func predicate(_ format: String, entity: String) throws -> NSPredicate? {
        if format.allSatisfy(\.isWhitespace) { return nil }
        do {
            let node = try PredicateParser.parse(input: format, arguments: [])
            try coordinator.compiledModel.checker.check(node, entity: entity)
            return NSPredicate.make(node)
        } catch let error as PredicateFormatError {
            let isAtEnd = error.position >= format.count
            throw PredicateProblem(
                message: error.message,
                remedy: error.expected.isEmpty ? nil : "Enter \(error.expected).",
                place: min(error.position, format.count),
                length: isAtEnd ? 0 : Self.wordLength(format, at: error.position)
            )
        } catch let error as TranslationError {
            let (place, length) = Self.find(error.expression, in: format)
            throw PredicateProblem(
                message: "\(error.expression): \(error.reason).",
                remedy: error.remedy,
                place: place,
                length: length
            )
        }
    }

    private static func wordLength(_ format: String, at place: Int) -> Int {
        PredicateText(format).words.first { $0.place <= place && place < $0.end }.map { $0.end - place } ?? 1
    }

    /// The place of a part of a predicate: the part itself, or the longest of its words that is not ambiguous.
    private static func find(_ part: String, in format: String) -> (Int, Int) {
        if let range = format.range(of: part) {
            // A key must not be found inside of a longer name.
            let words = PredicateText(format).words
            if let word = words.first(where: { $0.text == part }) { return (word.place, word.text.count) }
            let place = format.distance(from: format.startIndex, to: range.lowerBound)
            return (place, part.count)
        }
        let words = PredicateText(format).words
        let keys = PredicateText(part).words.filter { $0.kind == .name || $0.kind == .text }
        for key in keys {
            let last = key.text.split(separator: ".").last.map(String.init) ?? key.text
            if let word = words.first(where: { $0.text == key.text || $0.text.hasSuffix("." + last) || $0.text == last }
            ) {
                return (word.place, word.text.count)
            }
        }
        return (0, format.count)
    }

    /// Checks a predicate as it is typed.
    ///
    /// - Parameters:
    ///   - format: The text.
    ///   - entity: The entity whose rows it selects.
    /// - Returns: The error with its place, or Apple's spelling.
    /// - Throws: 134060 if the model does not have the entity.
    public func check(_ format: String, entity: String) throws -> PredicateCheck {
        _ = try shapes.required(entity)
        do {
            return PredicateCheck(problem: nil, printed: try predicate(format, entity: entity)?.description)
        } catch let problem as PredicateProblem {
            return PredicateCheck(problem: problem, printed: nil)
        }
    }

    /// The texts that can follow at a place of a predicate.
    ///
    /// - Parameters:
    ///   - format: The text, which may be incomplete.
    ///   - position: The number of characters before the place.
    ///   - entity: The entity whose rows the predicate selects.
    /// - Returns: The completions, at most 60.
    /// - Throws: 134060 if the model does not have the entity.
    public func complete(_ format: String, at position: Int, entity: String) async throws -> PredicateCompletion {
        _ = try shapes.required(entity)
        let before = String(format.prefix(max(0, position)))
        let words = PredicateText(before).words
        let isInWord = words.last.map {
            $0.end == before.count && ($0.kind == .name || $0.kind == .number || $0.isOpen)
        }
        var (typed, rest) = ("", words[...])
        if isInWord == true, let last = words.last {
            typed = last.text
            rest = words.dropLast()
        }
        let point = CompletionPoint(rest, entity: entity, shapes: shapes)
        var items: [PredicateCompletion.Item] = []
        if typed.contains("."), point.expected == .operand || point.expected == .value {
            items = path(typed, point)
        } else {
            switch point.expected {
            case .operand: items = operands(point)
            case .comparison: items = comparisons(point)
            case .value: items = try await values(point, entity: entity)
            case .connective:
                items = [("AND", "both are true"), ("OR", "one is true")].map {
                    .init(text: $0.0, kind: .operator, detail: $0.1)
                }
            case .option:
                items = [("c", "ignores case"), ("cd", "ignores case and accents"), ("d", "ignores accents")].map {
                    .init(text: $0.0, kind: .operator, detail: $0.1)
                }
            case .variable: items = [.init(text: "$x", kind: .value, detail: "stands for each member")]
            }
        }
        let prefix = typed.lowercased()
        var fitting = items.filter { $0.text.lowercased().hasPrefix(prefix) && $0.text != typed }
        if !prefix.isEmpty, !typed.contains(".") {
            // Keys and values are also found by a part of their name.
            fitting += items.filter {
                let lowercased = $0.text.lowercased()
                return $0.kind != .function && !lowercased.hasPrefix(prefix) && lowercased.contains(prefix)
            }
        }
        return PredicateCompletion(
            place: before.count - typed.count,
            length: typed.count,
            items: Array(fitting.prefix(60))
        )
    }

    // MARK: Parts

    private func operands(_ point: CompletionPoint) -> [PredicateCompletion.Item] {
        var items = keys(point.root("").entity ?? "", prefix: "")
        items += point.variables.keys.sorted().map { .init(text: "$\($0)", kind: .key, detail: "the member") }
        let words = [
            ("ANY", "true for at least one related object"), ("ALL", "true for all related objects"),
            ("NONE", "true for no related object"), ("NOT", "the opposite"),
            ("SUBQUERY(", "the related objects that fit: SUBQUERY(key, $x, $x.key == 1).@count > 0"),
            ("SELF", "the object itself"), ("TRUEPREDICATE", "true for all rows"),
        ]
        items += words.map { .init(text: $0.0, kind: .function, detail: $0.1) }
        let functions = [
            ("lowercase(", "a text in small letters"), ("uppercase(", "a text in capitals"), ("length(", "characters"),
            ("abs(", "without sign"), ("floor(", "rounded down"), ("ceiling(", "rounded up"), ("sqrt(", "square root"),
            ("now()", "this moment"),
        ]
        return items + functions.map { .init(text: $0.0, kind: .function, detail: $0.1) }
    }

    private func keys(_ entity: String, prefix: String) -> [PredicateCompletion.Item] {
        (shapes[entity]?.properties ?? []).filter { $0.subentity == nil }.map { property in
            let detail =
                switch property.kind {
                case .attribute: property.type
                case .toOne: "to \(property.type)"
                case .toMany: "to many \(property.type)"
                }
            return .init(text: prefix + property.name, kind: .key, detail: detail)
        }
    }

    private func path(_ typed: String, _ point: CompletionPoint) -> [PredicateCompletion.Item] {
        let prefix = String(typed[...(typed.lastIndex(of: ".") ?? typed.startIndex)])
        let (root, path) = point.root(String(prefix.dropLast()))
        guard let root else { return [] }
        if path.isEmpty { return keys(root, prefix: prefix) }
        guard let property = shapes.property(path, of: root), let destination = property.destination else { return [] }
        var items = keys(destination, prefix: prefix)
        if property.kind == .toMany {
            let operators = [
                ("@count", "number of objects"), ("@sum.", "sum of an attribute"), ("@avg.", "average of an attribute"),
                ("@min.", "smallest value"), ("@max.", "greatest value"),
            ]
            items = operators.map { .init(text: prefix + $0.0, kind: .function, detail: $0.1) } + items
        }
        return items
    }

    private func comparisons(_ point: CompletionPoint) -> [PredicateCompletion.Item] {
        let property = point.key.flatMap { point.property($0) }
        let equality = [("==", "is equal to"), ("!=", "differs from")]
        let order = [("<", "is less than"), ("<=", "is at most"), (">", "is greater than"), (">=", "is at least")]
        let texts = [
            ("CONTAINS[cd]", "contains, ignoring case and accents"), ("BEGINSWITH[cd]", "begins with"),
            ("ENDSWITH[cd]", "ends with"), ("LIKE[cd]", "matches with ? and *"), ("MATCHES", "matches a pattern"),
        ]
        let list = [("IN", "is one of {…}")]
        let range = [("BETWEEN", "is from low to high: {low, high}")]
        let operators: [(String, String)] =
            switch property?.cell {
            case .text, .uri: texts + equality + list + order
            case .number: equality + order + list + range
            case .date: order + equality + range
            case .boolean, .uuid, .binary, .transformable, .toOne: equality + list
            case .toMany: [("CONTAINS", "has an object among its members")] + equality + order
            default: equality + order + texts + list + range
            }
        return operators.map { .init(text: $0.0, kind: .operator, detail: $0.1) }
    }

    private func values(_ point: CompletionPoint, entity: String) async throws -> [PredicateCompletion.Item] {
        let path = point.key ?? ""
        let property = point.property(path)
        let none = PredicateCompletion.Item(text: "nil", kind: .value, detail: "no value")
        switch property?.cell {
        case .boolean:
            return ["YES", "NO"].map { .init(text: $0, kind: .value, detail: "") } + [none]
        case .date:
            let now = Date().timeIntervalSinceReferenceDate
            let day = (now / 86_400).rounded(.down) * 86_400
            let dates = [
                ("now()", "this moment"), (Self.date(day), "today, midnight UTC"),
                (Self.date(day - 7 * 86_400), "a week ago"), (Self.date(day - 30 * 86_400), "30 days ago"),
                (Self.date(day - 365 * 86_400), "a year ago"),
            ]
            return dates.map { .init(text: $0.0, kind: .value, detail: $0.1) } + [none]
        case .text, .number:
            let stored = path.hasPrefix("$") ? [] : try await storedValues(path, entity: entity)
            return stored + [none] + keys(entity, prefix: "").filter { $0.detail == property?.type && $0.text != path }
        case .some: return [none]
        case nil: return operands(point) + [none]
        }
    }

    private static func date(_ seconds: Double) -> String { "CAST(\(Int(seconds)), \"NSDate\")" }

    /// Values of an attribute that the store contains.
    private func storedValues(_ path: String, entity: String) async throws -> [PredicateCompletion.Item] {
        guard let property = shapes.property(path, of: entity), property.isSortable else { return [] }
        let parts = path.split(separator: ".").map(String.init)
        // The values of a related object are those of its entity.
        var owner = entity
        for part in parts.dropLast() {
            guard let destination = shapes.property(part, of: owner)?.destination else { return [] }
            owner = destination
        }
        let name = parts.last ?? path
        let source = owner
        let reader = cells
        let values = try? await read { context in
            let request = NSFetchRequest<NSDictionary>(entityName: source)
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [name]
            request.returnsDistinctResults = true
            // Rows are read until there are enough distinct values.
            request.fetchLimit = 40
            return try context.fetch(request).compactMap { reader.cell($0[name], property).text }
        }
        return (values ?? []).sorted().map {
            .init(text: property.cell == .text ? PredicateText.quoted($0) : $0, kind: .value, detail: "in the store")
        }
    }
}
