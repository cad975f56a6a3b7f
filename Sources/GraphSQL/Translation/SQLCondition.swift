// A translated predicate. SQL's third truth value never leaves it: if a condition may be NULL that counts as
// false, and only `negated` has to handle it.

/// A condition for `WHERE` or `CASE WHEN`.
struct SQLCondition {
    /// The operator that joins the parts, for parentheses.
    enum Level { case atom, and, or }

    /// Empty for a constant, which the dialect spells.
    var sql: SQLFragment
    /// Whether it can be NULL, which means false.
    var isNullable: Bool
    var level: Level
    /// Set if the answer does not depend on the row.
    var constant: Bool?

    init(_ sql: SQLFragment, isNullable: Bool, level: Level = .atom) {
        self.sql = sql
        self.isNullable = isNullable
        self.level = level
    }

    private init(constant: Bool) {
        sql = ""
        isNullable = false
        level = .atom
        self.constant = constant
    }

    static let always = SQLCondition(constant: true)
    static let never = SQLCondition(constant: false)

    var negated: SQLCondition {
        if let constant { return constant ? .never : .always }
        if isNullable { return SQLCondition("(\(sql)) IS NOT TRUE", isNullable: false) }
        if level == .atom, sql.text.hasPrefix("EXISTS (") { return SQLCondition("NOT \(sql)", isNullable: false) }
        return SQLCondition("NOT (\(sql))", isNullable: false)
    }

    static func all(_ conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, .and)
    }

    static func any(_ conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, .or)
    }

    private static func joined(_ conditions: [SQLCondition], _ level: Level) -> SQLCondition {
        let isAll = level == .and
        let oppositeLevel: Level = isAll ? .or : .and
        let parts = conditions.filter { $0.constant != isAll }
        if let decisive = parts.first(where: { $0.constant == !isAll }) { return decisive }
        guard let first = parts.first else { return isAll ? .always : .never }
        guard parts.count > 1 else { return first }
        return SQLCondition(
            joined(parts.map { $0.level == oppositeLevel ? "(\($0.sql))" : $0.sql }, isAll ? " AND " : " OR "),
            isNullable: parts.contains { $0.isNullable },
            level: level
        )
    }

    /// Long chains are put in groups: a parser reads `a OR b OR c` as a tree one level deeper for each part, and
    /// SQLite's trees must not be deeper than 1,000.
    private static func joined(_ parts: [SQLFragment], _ sign: StaticString) -> SQLFragment {
        let width = 128
        guard parts.count > width else { return parts.joined(sign) }
        let groups = stride(from: 0, to: parts.count, by: width).map { start -> SQLFragment in
            "(\(parts[start..<min(start + width, parts.count)].map { $0 }.joined(sign)))"
        }
        return joined(groups, sign)
    }
}
