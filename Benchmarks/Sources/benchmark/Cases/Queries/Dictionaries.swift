// dictionaries, dictionaries-swift: fetches two columns of all rows, as Foundation's or as Swift's dictionaries.
// group-by: a sum for each value of a column.
import Foundation
import GRDB
import ManagedGraph

enum Dictionaries {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "dictionaries",
                goals: [.ratio(2.5)],
                sizes: [200_000],
                entrants: .subjects(c: c, grdb: grdb, managed: managed)
            ),
            BenchmarkCase(
                name: "dictionaries-swift",
                goals: [.ratio(2.5)],
                sizes: [200_000],
                entrants: .subjects(c: c, grdb: grdb, managed: managedSwift)
            ),
            BenchmarkCase(
                name: "group-by",
                goals: [.ratio(1.05)],
                sizes: [200_000],
                entrants: .subjects(c: cGroups, grdb: grdbGroups, managed: managedGroups)
            ),
        ]
    }

    private static let select = "SELECT text, number FROM entry"
    private static let groups = "SELECT priority, total(amount) FROM entry GROUP BY priority ORDER BY priority"

    /// The type that a hand-written program uses instead of a dictionary.
    private struct Pair: FetchableRecord {
        var text: String
        var number: Int64

        init(text: String, number: Int64) {
            self.text = text
            self.number = number
        }

        init(row: Row) {
            text = row[0]
            number = row[1]
        }
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.entries), .entries)
        return {
            let statement = try database.prepare(select)
            var pairs: [Pair] = []
            while try statement.step() { pairs.append(Pair(text: statement.text(0), number: statement.int(1))) }
            var checksum = Checksum()
            for pair in pairs { checksum.add(pair.text, pair.number) }
            return Outcome(checksum)
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.entries), .entries)
        return {
            var checksum = Checksum()
            for pair in try queue.read({ try Pair.fetchAll($0, sql: select) }) { checksum.add(pair.text, pair.number) }
            return Outcome(checksum)
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        return {
            let context = store.context()
            let request = NSFetchRequest<NSDictionary>(entityName: "Entry")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["text", "number"]
            return try context.performAndWait {
                var checksum = Checksum()
                for row in try context.fetch(request) {
                    guard let text = row["text"] as? String, let number = row["number"] as? Int64 else {
                        throw BenchmarkError("A dictionary lacks a value.")
                    }
                    checksum.add(text, number)
                }
                return Outcome(checksum)
            }
        }
    }

    private static func managedSwift(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        return {
            let context = store.context()
            let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["text", "number"]
            return try context.performAndWait {
                var checksum = Checksum()
                for row in try context.fetch(request) {
                    guard let text = row["text"] as? String, let number = row["number"] as? Int64 else {
                        throw BenchmarkError("A dictionary lacks a value.")
                    }
                    checksum.add(text, number)
                }
                return Outcome(checksum)
            }
        }
    }

    private static func cGroups(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.entries), .entries)
        return {
            let statement = try database.prepare(groups)
            var checksum = Checksum()
            while try statement.step() {
                checksum.add(statement.int(0))
                checksum.add(statement.double(1))
            }
            return Outcome(checksum)
        }
    }

    private static func grdbGroups(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.entries), .entries)
        return {
            var checksum = Checksum()
            for row in try queue.read({ try Row.fetchAll($0, sql: groups) }) {
                checksum.add(row[0] as Int64)
                checksum.add(row[1] as Double)
            }
            return Outcome(checksum)
        }
    }

    private static func managedGroups(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        return {
            let context = store.context()
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "amount")])
            sum.expressionResultType = .doubleAttributeType
            let request = NSFetchRequest<NSDictionary>(entityName: "Entry")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["priority", sum]
            request.propertiesToGroupBy = ["priority"]
            request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: true)]
            return try context.performAndWait {
                var checksum = Checksum()
                for row in try context.fetch(request) {
                    guard let priority = row["priority"] as? Int64, let sum = row["sum"] as? Double else {
                        throw BenchmarkError("A group lacks a value.")
                    }
                    checksum.add(priority)
                    checksum.add(sum)
                }
                return Outcome(checksum)
            }
        }
    }
}
