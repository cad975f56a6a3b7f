// Random stores and predicates over the sample model, for comparing the two evaluators.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL
import TestSupport

struct RandomPredicates {
    var random: SeededNumbers
    let store: SampleStore
    var graph = RandomGraph.sample
    /// Whether to use values and functions whose results SQLite's types cannot hold.
    var isWide = false
    /// Whether to use the forms of RandomPredicates+Rare.
    var isRare = false
    private static let texts = [
        "", "a", "A", "á", "Á", "ab", "aB", "straße", "STRASSE", "σς", "ΣΣ", "e\u{301}", "é", "b*", "?",
    ]

    // Characters of several scalars, letters with several cases, and characters that patterns and literals escape.
    private static let wideTexts = [
        "\u{1F1E6}\u{1F1E7}", "👩‍👩‍👧", "\u{915}\u{94D}\u{937}\u{93F}", "각", "\u{1100}\u{1161}", "ﬁ", "FI", "İ", "ı", "i",
        "ſ", "K",
        "ᾳ", "a\r\n", "\n", "%", "_", "\\", "a_b%", "a\u{323}\u{301}", "a\u{301}\u{323}", "ǆ", "ǅ", "ŉ", "3", "2.5",
        "中文", "かが", "\u{10FFFF}", "*", "a?", "\\*", "*\u{301}", "%\u{301}",
    ]
    private static let patterns = [
        "a.*", "[a-c]+", "(a|b)*", "\\\\d+", "\\\\w+", "\\\\s*", ".", "..", "[^a]*", "a{1,2}", "\\\\S+", "(?:st|a).*",
        "[é-ü]", "a?b*",
    ]

    // MARK: - Stores

    /// A store with some rows of every entity, with random values and relationships.
    static func makeStore(_ random: inout SeededNumbers, isWide: Bool = false) throws -> SampleStore {
        func values(_ types: [String: AttributeType], _ random: inout SeededNumbers) -> [String: Any] {
            Self.values(types, &random, isWide: isWide)
        }
        let store = try SampleStore()
        let regions = (0..<2).map { _ in store.add("Region", values(["name": .string], &random)) }
        let places = (0..<4).map { place -> SampleObject in
            let attributes: [String: AttributeType] =
                place % 2 == 0
                ? ["name": .string, "storedIn": .string, "level": .integer16]
                : ["name": .string, "aisle": .string, "level": .integer16]
            let object = store.add(place % 2 == 0 ? "Home" : "Shop", values(attributes, &random))
            if random.chance(60) { object.values["region"] = random.pick(regions) }
            return object
        }
        let tags = (0..<4).map { _ in store.add("Tag", values(["name": .string, "rank": .integer16], &random)) }
        var tasks: [SampleObject] = []
        for _ in 0..<12 {
            let task = store.add(
                "Task",
                values(
                    [
                        "text": .string, "note": .string, "priority": .integer16, "effort": .integer64,
                        "amount": .double, "done": .boolean, "dueDate": .date, "code": .uuid, "link": .uri,
                        "bytes": .binary,
                    ].merging(isWide ? ["cost": .decimal] : [:]) { first, _ in first },
                    &random
                )
            )
            if random.chance(60) {
                task.values["size"] = ["width": value(.double, &random), "height": value(.double, &random)]
            }
            if random.chance(70) { task.values["location"] = random.pick(places) }
            if random.chance(60), !tasks.isEmpty { task.values["parent"] = random.pick(tasks) }
            task.values["tags"] = tags.filter { _ in random.chance(30) }
            tasks.append(task)
        }
        for _ in 0..<8 {
            let step = store.add("Step", values(["title": .string, "weight": .integer32], &random))
            if random.chance(80) { step.values["task"] = random.pick(tasks) }
        }
        try store.write()
        return store
    }

    static func values(
        _ types: [String: AttributeType],
        _ random: inout SeededNumbers,
        isWide: Bool = false
    ) -> [String: Any] {
        var result: [String: Any] = [:]
        for (name, type) in types.sorted(by: { $0.key < $1.key }) where random.chance(75) {
            result[name] = isWide && random.chance(40) ? wideValue(type, &random) : value(type, &random)
        }
        return result
    }

    static func wideValue(_ type: AttributeType, _ random: inout SeededNumbers) -> Any {
        switch type {
        case .string: random.pick(wideTexts)
        case .double:
            random.pick([
                1e308, -1.7e308, 1e-308, .leastNonzeroMagnitude, 0.1, -0.0, 1e15 + 0.25, 0x1p53, 1e200, -1e-200,
                .infinity, 3,
            ])
        case .float: Float(random.pick([0.1, 1e30, -2.5, 3]))
        case .decimal:
            Decimal(string: random.pick(["0.1", "1.10", "12345678901.0625", "-3", "2", "0", "7e20"])) ?? 0
        // Each is a real number, too: one expression may have integers in some rows and real numbers in others.
        case .integer64: random.pick([1 << 53, -1 << 62, 7])
        case .integer32: random.pick([Int(Int32.max), Int(Int32.min), 9])
        case .integer16: random.pick([Int(Int16.max), Int(Int16.min), 11])
        case .date: SampleStore.date(random.pick([-3.5, 1e9 + 0.25, -1e10, 0.000001]))
        default: value(type, &random)
        }
    }

    static func value(_ type: AttributeType, _ random: inout SeededNumbers) -> Any {
        switch type {
        case .string: random.pick(texts)
        case .double: Double(random.pick([-3, -1, 0, 1, 2, 5])) / 2
        case .boolean: random.chance(50)
        case .date: SampleStore.date(Double(random.pick([0, 1, 2])))
        case .uuid: SampleStore.uuid(UInt8(random.pick([1, 2, 3])))
        case .uri: SampleStore.url("http://\(random.pick(["a", "b"])).org/")
        case .binary: random.pick([Data(), Data([1]), Data([1, 2])])
        case .decimal: Decimal(random.pick([-1, 0, 1, 2, 5])) / 4
        case .float: Float(random.pick([-3, 1, 2])) / 2
        default: random.pick([-2, 0, 1, 2, 3])
        }
    }

    // MARK: - Predicates

    /// A predicate over an entity.
    mutating func predicate(_ entity: String, depth: Int = 3, variables: [String: String] = [:]) -> PredicateNode {
        let choice = depth == 0 ? 100 : Int.random(in: 0..<100, using: &random)
        let parts = { (generator: inout RandomPredicates) in
            (0..<generator.random.pick([0, 2, 2, 2, 3])).map { _ in
                generator.predicate(entity, depth: depth - 1, variables: variables)
            }
        }
        switch choice {
        case 0..<15: return .and(parts(&self))
        case 15..<30: return .or(parts(&self))
        case 30..<45: return .not(predicate(entity, depth: depth - 1, variables: variables))
        case 45..<47: return .constant(random.chance(50))
        default: return comparison(entity, depth: depth, variables: variables)
        }
    }

    enum Kind: CaseIterable { case number, text, date, uuid, boolean, object }

    private mutating func comparison(_ entity: String, depth: Int, variables: [String: String]) -> PredicateNode {
        let kind = random.pick(Kind.allCases)
        if isRare, random.chance(40), let rare = rareComparison(entity, kind, depth: depth, variables) { return rare }
        if depth > 0, random.chance(35), let quantified = quantified(entity, kind, depth: depth, variables) {
            return quantified
        }
        if kind == .object {
            guard let (left, target) = objectPath(entity) else { return .constant(true) }
            let right = random.chance(20) ? ExpressionNode.constant(nil) : object(target)
            return make(left, random.pick([.equal, .notEqual]), right)
        }
        let left = value(entity, kind, depth: depth, variables)
        return judged(left, kind, entity, depth: depth, variables)
    }

    /// A comparison of a value with a random operator.
    mutating func judged(
        _ left: ExpressionNode,
        _ kind: Kind,
        _ entity: String,
        depth: Int,
        modifier: ComparisonModifier = .direct,
        _ variables: [String: String]
    ) -> PredicateNode {
        let options: ComparisonOptions =
            kind == .text
            ? random.pick([[], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
            : []
        if random.chance(15) {
            let elements = (0..<random.pick([0, 1, 3])).map { _ in value(entity, kind, depth: 0, variables) }
            return make(left, .in, .aggregate(elements), modifier, options)
        }
        if random.chance(10) {
            let list = (0..<random.pick([0, 1, 2, 5, 70])).map { _ -> Any in
                random.chance(10) ? NSNull() : plain(kind)
            }
            return make(left, .in, .constant(list), modifier, options)
        }
        if random.chance(10), kind != .boolean {
            let bounds = (0..<2).map { _ in value(entity, kind, depth: 0, variables) }
            return make(left, .between, .aggregate(bounds), modifier, options)
        }
        if isWide, kind == .boolean, random.chance(30) {
            let number = value(entity, .number, depth: 0, variables)
            return make(left, random.pick([.equal, .notEqual, .lessThan]), number, modifier)
        }
        if isWide, kind == .text, random.chance(15) {
            return make(left, .matches, .constant(random.pick(Self.patterns)), modifier, options)
        }
        let right = value(entity, kind, depth: depth - 1, variables)
        if kind == .text, random.chance(45) {
            return make(left, random.pick([.contains, .beginsWith, .endsWith, .like, .in]), right, modifier, options)
        }
        return make(
            left,
            random.pick([.equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]),
            right,
            modifier,
            options
        )
    }

    func make(
        _ left: ExpressionNode,
        _ op: ComparisonOperator,
        _ right: ExpressionNode,
        _ modifier: ComparisonModifier = .direct,
        _ options: ComparisonOptions = []
    ) -> PredicateNode {
        .comparison(ComparisonNode(left: left, right: right, modifier: modifier, op: op, options: options))
    }

    /// ANY, ALL or SUBQUERY over a to-many path.
    private mutating func quantified(
        _ entity: String,
        _ kind: Kind,
        depth: Int,
        _ variables: [String: String]
    ) -> PredicateNode? {
        guard let (path, target) = toManyPath(entity) else { return nil }
        if random.chance(35) {
            let name = "v\(variables.count)"
            var inner = variables
            inner[name] = target
            let condition = predicate(entity, depth: depth - 1, variables: inner)
            let collection = random.chance(20) ? set(.keyPath(path), entity, target) : .keyPath(path)
            let subquery = ExpressionNode.subquery(collection: collection, variable: name, predicate: condition)
            return make(
                .keyPathOf(subquery, ["@count"]),
                random.pick([.equal, .greaterThan, .lessThan]),
                .constant(random.pick([0, 1, 2]))
            )
        }
        if kind == .object {
            let member = object(target)
            if random.chance(30) { return make(member, .in, set(.keyPath(path), entity, target)) }
            return random.chance(50)
                ? make(member, .in, .keyPath(path))
                : make(.keyPath(path), .equal, member, random.pick([.any, .all]))
        }
        guard let attribute = attribute(of: target, kind) else { return nil }
        if random.chance(20) { return make(value(entity, kind, depth: 0, variables), .in, .keyPath(path + attribute)) }
        return judged(
            .keyPath(path + attribute),
            kind,
            entity,
            depth: depth,
            modifier: random.pick([.any, .all]),
            variables
        )
    }

    /// An expression of a kind: a constant, a path, a variable's value, arithmetic.
    mutating func value(
        _ entity: String,
        _ kind: Kind,
        depth: Int,
        _ variables: [String: String]
    ) -> ExpressionNode {
        if let name = variables.keys.sorted().last, random.chance(50),
            let path = attribute(of: variables[name] ?? "", kind)
        {
            return .keyPathOf(.variable(name), path)
        }
        if random.chance(10) { return .constant(nil) }
        if isRare, depth > 0, random.chance(25), let rare = rareValue(entity, kind, depth: depth, variables) {
            return rare
        }
        if random.chance(35) { return .constant(plain(kind)) }
        if depth > 0, kind == .number, random.chance(35) { return number(entity, depth: depth, variables) }
        if isWide, depth > 0, kind == .date, random.chance(15) {
            // Databases store times within their calendar only, and in microseconds.
            let number = value(entity, .number, depth: depth - 1, variables)
            let seconds = ExpressionNode.function(
                name: "bitwiseAnd:with:",
                target: nil,
                arguments: [number, .constant(0xFFFF)]
            )
            return .function(name: "castObject:toType:", target: nil, arguments: [seconds, .constant("NSDate")])
        }
        if depth > 0, kind == .text, random.chance(20) {
            let inner = value(entity, .text, depth: depth - 1, variables)
            return .function(
                name: random.pick(["uppercase:", "lowercase:", "canonical:"]),
                target: nil,
                arguments: [inner]
            )
        }
        if depth > 0, kind == .text, random.chance(8) {
            let number = value(entity, .number, depth: 0, variables)
            return .function(name: "castObject:toType:", target: nil, arguments: [number, .constant("NSString")])
        }
        if depth > 0, random.chance(8) {
            return .conditional(
                predicate(entity, depth: depth - 1, variables: variables),
                value(entity, kind, depth: depth - 1, variables),
                value(entity, kind, depth: depth - 1, variables)
            )
        }
        guard let path = attribute(of: entity, kind) else { return .constant(plain(kind)) }
        return .keyPath(path)
    }

    /// Functions whose results are beyond SQLite's types.
    private mutating func wideNumber(_ entity: String, depth: Int, _ variables: [String: String]) -> ExpressionNode {
        if random.chance(20), let path = attribute(of: entity, .date) {
            return .keyPath(path + [random.pick(["timeIntervalSinceReferenceDate", "timeIntervalSince1970"])])
        }
        if random.chance(25) {
            let elements = (0..<random.pick([2, 3])).map { _ in value(entity, .number, depth: 0, variables) }
            let name = random.pick(["sum:", "average:", "min:", "max:", "median:"])
            return .function(name: name, target: nil, arguments: [.aggregate(elements)])
        }
        let first = value(entity, .number, depth: depth - 1, variables)
        let name = random.pick([
            "raise:toPower:", "ln:", "exp:", "log:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
            "leftshift:by:", "rightshift:by:", "onesComplement:",
        ])
        guard name.filter({ $0 == ":" }).count == 2 else {
            return .function(name: name, target: nil, arguments: [first])
        }
        let second = value(entity, .number, depth: 0, variables)
        return .function(name: name, target: nil, arguments: [first, second])
    }

    private mutating func number(_ entity: String, depth: Int, _ variables: [String: String]) -> ExpressionNode {
        if isWide, random.chance(25) { return wideNumber(entity, depth: depth, variables) }
        if random.chance(40), let (path, target) = toManyPath(entity) {
            if random.chance(40) { return .keyPath(path + ["@count"]) }
            if random.chance(20) { return .keyPathOf(set(.keyPath(path), entity, target), ["@count"]) }
            if let attribute = attribute(of: target, .number) {
                return random.chance(50)
                    ? .keyPath(path + [random.pick(["@sum", "@avg", "@min", "@max"])] + attribute)
                    : .function(
                        name: random.pick(["sum:", "average:", "min:", "max:", "count:", "median:"]),
                        target: nil,
                        arguments: [.keyPath(path + attribute)]
                    )
            }
        }
        if random.chance(20) {
            let inner = value(entity, .text, depth: depth - 1, variables)
            return .function(name: "length:", target: nil, arguments: [inner])
        }
        let first = value(entity, .number, depth: depth - 1, variables)
        if random.chance(25) {
            return .function(
                name: random.pick(["abs:", "floor:", "ceiling:", "sqrt:", "trunc:"]),
                target: nil,
                arguments: [first]
            )
        }
        return .function(
            name: random.pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:"]),
            target: nil,
            arguments: [first, value(entity, .number, depth: depth - 1, variables)]
        )
    }

    mutating func plain(_ kind: Kind) -> Any {
        if isWide, random.chance(20) { return widePlain(kind) }
        return switch kind {
        case .number: random.chance(30) ? Self.value(.double, &random) : Self.value(.integer16, &random)
        case .text: Self.value(.string, &random)
        case .date: Self.value(.date, &random)
        case .uuid: Self.value(.uuid, &random)
        case .boolean, .object: random.chance(50)
        }
    }

    private mutating func widePlain(_ kind: Kind) -> Any {
        switch kind {
        case .number: Self.wideValue(random.pick([.integer64, .integer16, .double, .decimal]), &random)
        case .text: Self.wideValue(.string, &random)
        case .date: Self.wideValue(.date, &random)
        case .uuid: Self.value(.uuid, &random)
        case .boolean, .object: random.chance(50)
        }
    }

    /// Combines a collection with another one of the same objects, if there is one.
    mutating func set(_ first: ExpressionNode, _ entity: String, _ target: String) -> ExpressionNode {
        for _ in 0..<6 {
            guard let (path, other) = toManyPath(entity), other == target else { continue }
            return random.pick([
                .union(first, .keyPath(path)), .intersect(first, .keyPath(path)), .minus(first, .keyPath(path)),
            ])
        }
        return first
    }

    mutating func object(_ entity: String) -> ExpressionNode {
        let objects = store.objects[store.root(entity)] ?? []
        return .constant(objects.isEmpty ? nil : random.pick(objects))
    }

    // MARK: - Paths

    mutating func steps(_ entity: String) -> ([String], String) {
        var (path, current): ([String], String) = ([], entity)
        while random.chance(30), let next = graph.toOnes[current].map({ random.pick($0) }) {
            path.append(next.0)
            current = next.1
        }
        return (path, current)
    }

    mutating func attribute(of entity: String, _ kind: Kind) -> [String]? {
        for _ in 0..<4 {
            let (path, target) = steps(entity)
            if let names = graph.attributes[target]?[kind] { return path + [random.pick(names)] }
        }
        return nil
    }

    mutating func objectPath(_ entity: String) -> (ExpressionNode, String)? {
        let (path, target) = steps(entity)
        return (path.isEmpty ? .evaluatedObject : .keyPath(path), target)
    }

    mutating func toManyPath(_ entity: String) -> ([String], String)? {
        var (path, current) = steps(entity)
        guard let first = graph.toManys[current].map({ random.pick($0) }) else { return nil }
        path.append(first.0)
        current = first.1
        while random.chance(25) {
            let next = (graph.toOnes[current] ?? []) + (graph.toManys[current] ?? [])
            guard !next.isEmpty else { break }
            let step = random.pick(next)
            path.append(step.0)
            current = step.1
        }
        return (path, current)
    }
}
