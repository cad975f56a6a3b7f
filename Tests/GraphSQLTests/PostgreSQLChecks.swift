// Comparisons of PostgreSQL with the evaluator and with SQLite over random and extreme material. Each returns the
// disagreements.
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphPredicates
import GraphSQL
import TestSupport

struct PostgreSQLChecks {
    let connection: PostgreSQLConnection

    /// The outcome of many predicates.
    struct Outcome {
        var disagreements: [String] = []
        var answered = 0
        var admitted = 0
        var leftToMemory = 0
    }

    // MARK: Predicates

    /// Random predicates in PostgreSQL, in memory and, unless they are wide, in SQLite.
    ///
    /// - Parameters:
    ///   - count: The number of predicates.
    ///   - seed: Chooses them.
    ///   - isWide: Whether to include predicates and values that SQLite does not store exactly.
    ///   - hasFunctions: Whether statements may call the store's functions.
    /// - Returns: The outcome.
    /// - Throws: If a table cannot be created.
    func predicates(_ count: Int, seed: UInt64, isWide: Bool, hasFunctions: Bool = true) throws -> Outcome {
        var random = SeededNumbers(seed: seed)
        var outcome = Outcome()
        for round in 0..<max(count / 100, 1) {
            let model = round % 2 == 0 ? nil : RandomModel(&random, isWide: isWide)
            let store =
                try model?.makeStore(&random, isWide: isWide) ?? RandomPredicates.makeStore(&random, isWide: isWide)
            let database = try SampleDatabase(
                store,
                model?.model ?? SampleModel.model,
                connection,
                hasFunctions: hasFunctions
            )
            for _ in 0..<min(count, 100) {
                var generator = RandomPredicates(random: random, store: store)
                if let model { generator.graph = model.graph }
                if isWide, model == nil { generator.graph.attributes["Task"]?[.number]?.append("cost") }
                generator.isWide = isWide
                let entity = generator.random.pick(model?.names ?? ["Task", "Task", "Place", "Tag", "Step", "Home"])
                let node = generator.predicate(entity == "Home" ? "Place" : entity)
                random = generator.random
                check(node, of: entity, database, comparesSQLite: !isWide, &outcome)
            }
            if outcome.disagreements.count > 10 { break }
        }
        return outcome
    }

    private func check(
        _ node: PredicateNode,
        of entity: String,
        _ database: SampleDatabase,
        comparesSQLite: Bool,
        _ outcome: inout Outcome
    ) {
        let plan = FetchPlan(entity: entity, predicate: node, columns: [.primaryKey])
        func statement() -> String {
            (try? database.translate(plan).statement).map { "\($0.text) \($0.bindings)" } ?? ""
        }
        do {
            let inPostgreSQL = try database.keys(entity, node)
            let memory = try database.store.keysInMemory(entity, node)
            outcome.answered += 1
            outcome.admitted += memory.count
            let inSQLite = comparesSQLite ? try database.store.keysInSQL(entity, node) : memory
            if !database.hasFunctions, statement().contains("mg_") {
                outcome.disagreements.append("a function of the store in \(statement())")
            }
            guard inPostgreSQL != memory || inSQLite != memory else { return }
            outcome.disagreements.append(
                "\(entity) where \(PredicatePrinter.print(node))\nmemory \(memory), PostgreSQL \(inPostgreSQL), SQLite \(inSQLite)\n"
                    + statement()
            )
        } catch let error as TranslationError where error.kind == .needsMemory || error.kind == .incomparable {
            outcome.leftToMemory += 1
        } catch {
            outcome.disagreements.append("\(entity) where \(PredicatePrinter.print(node))\n\(error)\n\(statement())")
        }
    }

    // MARK: Texts

    /// The functions of texts for every scalar between two texts.
    ///
    /// - Parameters:
    ///   - prefix: The text before each.
    ///   - suffix: The text after each.
    ///   - alike: Takes one in so many ideographs and Hangul syllables, which fold to themselves and make up nine tenths of
    ///     all scalars.
    ///   - others: Takes one in so many of the other scalars.
    ///   - seed: Chooses the other scalars.
    /// - Returns: The disagreements.
    /// - Throws: If a statement fails.
    func scalars(after prefix: String, before suffix: String, alike: Int, others: Int, seed: UInt64) throws -> [String]
    {
        var disagreements: [String] = []
        var texts: [String] = []
        for value in [0x1...0x3_23B0, 0xE_0000...0xE_01FF].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let step = alike == others || !Self.alike.contains { $0.contains(value) } ? others : alike
            guard (UInt64(value) &+ seed) % UInt64(step) == 0 else { continue }
            texts.append(prefix + String(scalar) + suffix)
            if texts.count == 5_000 {
                disagreements += try compare(texts)
                texts = []
            }
        }
        return disagreements + (try compare(texts))
    }

    private static let alike = [
        0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x2_0000...0x2_F7FF, 0x3_0000...0x3_23B0,
    ]

    private func compare(_ texts: [String]) throws -> [String] {
        let functions = ["fold", "fold_case", "fold_accents", "upper", "lower", "length", "characters"]
        let calls = functions.map { name in
            let call = "\(SampleDatabase.schemaName).mg_\(name)(x)"
            return name == "characters" ? "cardinality(\(call))" : call
        }
        let statement = SQLStatement(
            "SELECT \(calls.joined(separator: ", ")) FROM unnest($1) WITH ORDINALITY AS t(x, n) ORDER BY n",
            [.typed(.list(texts.map { .text($0) }, .text))]
        )
        let result = try connection.execute(statement)
        var disagreements: [String] = []
        for (row, text) in texts.enumerated() {
            let expected: [RowValue] = [
                .string(TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: true)),
                .string(TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: false)),
                .string(TextFolding.fold(text, caseInsensitive: false, diacriticInsensitive: true)),
                .string(text.uppercased()), .string(text.lowercased()), .integer(Int64(text.utf16.count)),
                .integer(Int64(text.count)),
            ]
            for (column, value) in expected.enumerated() {
                let actual = try result.value(column, row)
                guard Self.scalars(actual) != Self.scalars(value) else { continue }
                let codes = text.unicodeScalars.map { String($0.value, radix: 16) }
                disagreements.append("\(functions[column]) of \(codes): \(Self.scalars(actual))")
            }
        }
        return disagreements
    }

    private static func scalars(_ value: RowValue) -> [UInt32] {
        switch value {
        case .string(let text): text.unicodeScalars.map(\.value)
        case .integer(let number): [UInt32(truncatingIfNeeded: number)]
        default: []
        }
    }

    // MARK: Numbers

    private static let extremes: [Double] = [
        0, -0.0, 1, -1, 2, 0.5, -0.5, 3, 10, 0.1, 1e-300, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
        2.2250738585072014e-308, 1e300, -1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 8.98846567431158e307, 0x1p53, 0x1p63, -0x1p63, 1e154,
        1.3407807929942596e154, 1e-162, 1.5e-162, .infinity, -.infinity, 709.782712893384, 709.7827128933841, -745.2,
        1e16, 1e15 + 0.25, 123456.789,
    ]

    /// The functions of real numbers for extreme ones: the results are the evaluator's, and none raises an error.
    func numbers() throws -> [String] {
        let pairs = Self.extremes.flatMap { left in Self.extremes.map { (left, $0) } }
        let binary: [(String, FunctionName)] = [
            ("add", .add), ("multiply", .multiply), ("divide", .divide), ("modulus", .modulus), ("power", .raise),
        ]
        let unary: [(String, FunctionName)] = [
            ("sqrt", .squareRoot), ("log", .log), ("ln", .naturalLog), ("exp", .exponential),
        ]
        var disagreements: [String] = []
        func check(_ functions: [(String, FunctionName)], _ arguments: [[Double]]) throws {
            let marks = arguments[0].indices.map { "unnest($\($0 + 1)) AS x\($0)" }.joined(separator: ", ")
            let names = arguments[0].indices.map { "x\($0)" }.joined(separator: ", ")
            let calls = functions.map { "\(SampleDatabase.schemaName).mg_\($0.0)(\(names))" }.joined(separator: ", ")
            let lists = arguments[0].indices.map { place in
                SQLValue.typed(.list(arguments.map { .real($0[place]) }, .real))
            }
            let result = try connection.execute(SQLStatement("SELECT \(calls) FROM (SELECT \(marks)) AS t", lists))
            for (row, values) in arguments.enumerated() {
                for (column, function) in functions.enumerated() {
                    let node = ExpressionNode.function(
                        name: function.1.rawValue,
                        target: nil,
                        arguments: values.map { .constant($0) }
                    )
                    let expected = EvaluatedValue(try ExpressionEvaluator(node).evaluate(nil)).doubleValue
                    let actual = try result.real(column, row)
                    let isSame = actual == expected || actual == nil && expected?.isNaN == true
                    if !isSame {
                        disagreements.append("\(function.0)\(values): \(actual as Any), not \(expected as Any)")
                    }
                }
            }
        }
        try check(binary, pairs.map { [$0.0, $0.1] })
        try check(unary, Self.extremes.map { [$0] })
        return disagreements
    }
}
