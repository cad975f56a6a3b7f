// Direct calls of libpq, with typed objects: the shortest possible times.
import Foundation

final class PlainSubject: Subject {
    private let address: String
    private let connection: PlainConnection

    init(_ address: String) throws {
        // The parameters after `?` are those of ManagedGraph, which libpq rejects.
        self.address = address.split(separator: "?").first.map(String.init) ?? address
        connection = try PlainConnection(self.address)
        try connection.execute("SET search_path = bench")
    }

    private static let byKey = "SELECT \(PlainEntry.columns) FROM bench.\"Entry\" WHERE _id = $1"

    func prepare(_ work: BenchmarkCase, _ rows: Int) throws -> () throws -> UInt64 {
        let connection = connection
        switch work {
        case .fetchRead:
            try connection.prepare("all", "SELECT \(PlainEntry.columns) FROM \"Entry\"")
            return {
                var sum: UInt64 = 0
                for entry in try connection.run("all").map(PlainEntry.init) { entry.add(to: &sum) }
                return sum
            }
        case .batchInsert:
            let rows = InputRow.make(count: rows)
            return {
                try Self.copy(rows[...], 1, connection)
                return UInt64(rows.count)
            }
        case .importing:
            let rows = InputRow.make(count: rows)
            return {
                for start in stride(from: 0, to: rows.count, by: 1_000) {
                    try Self.copy(rows[start..<min(start + 1_000, rows.count)], Int64(start + 1), connection)
                }
                return UInt64(rows.count)
            }
        case .update:
            try connection.prepare("some", "SELECT \(PlainEntry.columns) FROM \"Entry\" LIMIT \(rows)")
            try connection.prepare(
                "update",
                """
                UPDATE "Entry" SET amount = $1, "isDone" = $2, _version = _version + 1 WHERE _id = $3 AND _version = $4
                """
            )
            let entries = try connection.run("some").map(PlainEntry.init)
            return {
                let lists = entries.map { entry in
                    entry.amount += 1
                    entry.isDone.toggle()
                    var values = PlainParameters()
                    values.append(entry.amount)
                    values.append(entry.isDone)
                    values.append(entry.key)
                    values.append(entry.version)
                    return values
                }
                try connection.transaction("update", lists)
                return UInt64(entries.count)
            }
        case .byKey(let threads):
            try connection.prepare("keys", "SELECT _id FROM \"Entry\" ORDER BY date LIMIT \(rows)")
            let keys = try connection.run("keys").map { $0.integer(0) as Int64 }
            let connections = try (0..<threads).map { _ in
                let connection = try PlainConnection(address)
                try connection.prepare("one", Self.byKey)
                return Exclusive(connection)
            }
            return {
                try onThreads(threads) { thread in
                    var sum: UInt64 = 0
                    for place in stride(from: thread, to: keys.count, by: threads) {
                        var values = PlainParameters()
                        values.append(keys[place])
                        let entries = try connections[thread].value.run("one", values).map(PlainEntry.init)
                        for entry in entries { entry.add(to: &sum) }
                    }
                    return sum
                }
            }
        case .departments:
            try connection.prepare("departments", "SELECT _id, number, title FROM \"Department\"")
            try connection.prepare(
                "employees",
                "SELECT _id, name, number, salary, department FROM \"Employee\" WHERE department IS NOT NULL"
            )
            return {
                let departments = try connection.run("departments").map(PlainDepartment.init)
                let byKey = Dictionary(uniqueKeysWithValues: departments.map { ($0.key, $0) })
                _ = try connection.run("employees").map { row in
                    byKey[row.integer(4)]?.employees.append(PlainEmployee(row))
                }
                var sum: UInt64 = 0
                for department in departments {
                    for employee in department.employees {
                        sum &+= UInt64(employee.number) &+ UInt64(employee.salary)
                    }
                }
                return sum
            }
        }
    }

    /// A connection that one thread uses.
    private struct Exclusive: @unchecked Sendable {
        let value: PlainConnection

        init(_ value: PlainConnection) { self.value = value }
    }

    private static func copy(_ rows: ArraySlice<InputRow>, _ firstKey: Int64, _ connection: PlainConnection) throws {
        var key = firstKey
        try connection.copy("\"Entry\" (\(PlainEntry.columns))") { bytes, send in
            func append(_ value: some FixedWidthInteger) {
                withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
            }
            for row in rows {
                append(8 as Int16)
                append(8 as Int32)
                append(key)
                append(8 as Int32)
                append(1 as Int64)
                append(Int32(row.text.utf8.count))
                bytes.append(contentsOf: row.text.utf8)
                append(2 as Int32)
                append(row.priority)
                append(8 as Int32)
                append(Int64(((row.date.timeIntervalSinceReferenceDate + 366 * 86_400) * 1e6).rounded()))
                append(1 as Int32)
                append((row.isDone ? 1 : 0) as UInt8)
                append(8 as Int32)
                append(row.amount.bitPattern)
                append(8 as Int32)
                append(row.number)
                key += 1
                if bytes.count > 1 << 16 { try send(&bytes) }
            }
        }
    }
}
