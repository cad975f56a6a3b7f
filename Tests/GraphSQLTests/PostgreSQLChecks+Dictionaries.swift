// Random fetches of dictionaries, compared with SQLite.
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphPredicates
import GraphSQL
import TestSupport

extension PostgreSQLChecks {
    func dictionaries(_ count: Int, seed: UInt64) throws -> [String] {
        var random = SeededNumbers(seed: seed)
        var disagreements: [String] = []
        for _ in 0..<max(count / 50, 1) {
            let store = try RandomPredicates.makeStore(&random)
            let database = try SampleDatabase(store, SampleModel.model, connection)
            for _ in 0..<min(count, 50) {
                let plan = Self.plan(&random)
                do {
                    let expected = try store.rows(plan).map { $0.map(Self.text) }
                    let actual = try database.rows(plan).map { $0.map(Self.text) }
                    if actual == expected { continue }
                    let statement = try database.translate(plan).statement
                    disagreements.append(
                        "\(statement.text) \(statement.bindings)\nSQLite \(expected)\nPostgreSQL \(actual)"
                    )
                } catch let error as TranslationError where error.kind == .unsupported {
                    continue
                } catch {
                    let statement = try? database.translate(plan).statement
                    disagreements.append("\(error)\n\(statement?.text ?? "")")
                }
            }
        }
        return disagreements
    }

    private static let paths = [
        ["priority"], ["effort"], ["amount"], ["text"], ["done"], ["dueDate"], ["code"], ["location", "name"],
        ["parent"],
    ]

    private static func plan(_ random: inout SeededNumbers) -> FetchPlan {
        func expression(_ name: String, _ path: [String]) -> PlanColumn {
            .expression(name: name, .function(name: name, target: nil, arguments: [.keyPath(path)]))
        }
        let keys = paths.filter { _ in random.chance(25) }
        var columns = keys.map { PlanColumn.keyPath($0) }
        var plan = FetchPlan(entity: "Task")
        if random.chance(20) {
            let sum = ExpressionNode.function(
                name: "add:to:",
                target: nil,
                arguments: [.keyPath(["priority"]), .constant(random.pick([1, 2.5] as [Double]))]
            )
            columns.append(.expression(name: "more", sum))
        }
        let hasAggregates = random.chance(50)
        if hasAggregates {
            if !columns.isEmpty { plan.groupBy = columns }
            columns.append(expression("count:", ["text"]))
            for path in [["priority"], ["amount"], ["done"]] where random.chance(50) {
                columns.append(expression(random.pick(["sum:", "average:", "min:", "max:", "median:"]), path))
            }
            for path in [["dueDate"], ["code"], ["text"]] where random.chance(30) {
                columns.append(expression(random.pick(["min:", "max:"]), path))
            }
            if !plan.groupBy.isEmpty, random.chance(40) {
                let count = ExpressionNode.function(name: "count:", target: nil, arguments: [.keyPath(["text"])])
                plan.having = .comparison(
                    ComparisonNode(left: count, right: .constant(1), modifier: .direct, op: .greaterThan, options: [])
                )
            }
        } else if random.chance(60) {
            plan.isDistinct = true
        }
        if columns.isEmpty { columns = [.keyPath(["text"])] }
        plan.columns = columns
        for path in keys where random.chance(60) { plan.sort.append(SortTerm(path, ascending: random.chance(50))) }
        if random.chance(30) { plan.limit = random.pick([1, 3, 5]) }
        if random.chance(20) { plan.offset = random.pick([1, 2]) }
        return plan
    }

    /// A value of either database in a form that both share.
    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(Double(number))"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let data): data.map { "\($0)" }.joined(separator: " ")
        case .typed(let value): text(value.plain)
        }
    }

    private static func text(_ value: RowValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(Double(number))"
        case .real(let number): "\(number)"
        case .decimal(let number): "\(NSDecimalNumber(decimal: number).doubleValue)"
        case .string(let text): text
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { $0.map { "\($0)" } }.joined(separator: " ")
        case .data(let data): data.map { "\($0)" }.joined(separator: " ")
        default: "\(value)"
        }
    }
}
