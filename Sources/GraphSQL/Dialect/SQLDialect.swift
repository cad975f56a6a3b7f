// The SQL spelling of one database. The translator, the layout and the statement texts ask a dialect for each
// spelling that differs between databases, and do not test which dialect it is. A schema holds its dialect.
// SQLDialect+Standard has the default spellings; the folders SQLite and PostgreSQL have the dialects.
import GraphModel
import GraphPredicates

/// A database's spelling of SQL.
///
/// A text is spelled once for each shape of a fetch and once for each entity, never for a row. In it the marker of a
/// bound value is `?`; `marks` replaces it with the database's own marker at the end. An atom is an expression that can
/// be an operand without parentheses.
package protocol SQLDialect: Sendable {
    /// The database's name, for messages.
    var name: String { get }

    // MARK: Names and values

    /// The spelling of the markers for bound values.
    var marks: ParameterMarks { get }
    /// A column's or collation's name, quoted if the database requires it.
    func identifier(_ name: String) -> String
    /// A value as a literal in the text of a statement.
    func literal(_ value: SQLValue) -> String
    /// A condition that is always true, or always false.
    func truth(_ value: Bool) -> SQLFragment
    /// A bound value that sorts after all texts.
    var valueAfterAllTexts: SQLValue { get }

    // MARK: Tables

    /// The names of tables, columns and indexes.
    var naming: any SchemaNaming { get }
    /// A table's name in a statement, qualified if the database requires it.
    func table(_ name: String) -> String
    /// A column's declared type.
    func columnType(_ use: ColumnUse) -> String
    /// A column of an index on values, which compares texts by their bytes.
    func indexed(_ column: String, isAscending: Bool) -> String
    /// The statements that create the triggers of a model's derived attributes; empty if the engine computes them.
    func derivationTriggers(_ model: Model, _ schema: StoreSchema) -> [String]

    /// A column of large values, in the form of `LargeValue`.
    func large(_ column: SQLFragment) -> SQLFragment

    // MARK: Types

    /// Whether each expression has one type, so that a value is converted before it is combined with one of another type.
    var hasStaticTypes: Bool { get }
    /// Whether texts may contain the character U+0000.
    var storesNullCharacters: Bool { get }
    /// A value of a type that some databases lack.
    func typed(_ value: TypedValue) -> SQLValue
    /// A value converted to another kind; nil if the database cannot convert it.
    func converted(_ value: SQLOperand, to kind: ValueKind) -> SQLOperand?
    /// Two values, ready to be compared with each other.
    func comparable(
        _ left: SQLOperand,
        _ right: SQLOperand,
        isOrdering: Bool
    ) -> (left: SQLOperand, right: SQLOperand)

    // MARK: Expressions

    /// Whether two values are equal, if NULL equals NULL.
    func equals(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// Whether two values differ, if NULL equals NULL.
    func differs(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// A value, or another one in the place of NULL.
    func coalesce(_ value: SQLFragment, _ fallback: SQLFragment) -> SQLFragment
    /// An operation on two numbers; nil if the database lacks it.
    func arithmetic(_ operation: ArithmeticOperation, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand?
    /// The bitwise complement of an integer; nil if the database lacks the operation.
    func complement(_ value: SQLOperand) -> SQLFragment?
    /// An expression, as an atom, for which the database does not use an index.
    func withoutIndex(_ value: SQLFragment) -> SQLFragment
    /// A function of the predicate language, as an atom; nil if the database lacks it, so that objects are filtered in
    /// memory.
    func call(_ function: DialectFunction, _ arguments: [SQLOperand]) -> SQLFragment?
    /// A text in a form that is the same for texts that are equal under the options; nil if `compare` takes the options
    /// itself.
    func folded(_ text: SQLFragment, _ options: ComparisonOptions) -> SQLFragment?
    /// A comparison of two texts, as an atom; nil if the database lacks it.
    ///
    /// If `folded` has folded both texts, `options` does not contain the options that it has applied.
    func compare(
        _ comparison: TextComparison,
        _ subject: SQLFragment,
        _ pattern: SQLFragment,
        _ options: ComparisonOptions
    ) -> SQLFragment?
    /// Whether the comparison takes patterns in a form of the database's own.
    func convertsPatterns(of comparison: TextComparison) -> Bool
    /// A constant pattern in that form; nil if no pattern in it accepts the same texts.
    func pattern(_ text: String, of comparison: TextComparison, _ options: ComparisonOptions) -> SQLValue?
    /// A computed pattern in that form; nil if the database cannot convert it.
    func pattern(_ text: SQLFragment, of comparison: TextComparison) -> SQLFragment?
    /// An aggregate over all rows, as an atom.
    func aggregate(_ aggregate: DialectAggregate, of value: SQLOperand, isDistinct: Bool) -> SQLFragment
    /// A statistic over all rows, as an atom; nil if the database lacks it.
    func statistic(_ statistic: DialectStatistic, of value: SQLOperand, isDistinct: Bool) -> SQLFragment?

    // MARK: Lists

    /// Whether short constant lists are bound element by element.
    var spreadsShortLists: Bool { get }
    /// A list as one bound value.
    func list(_ values: [SQLValue], of storage: StorageClass) -> SQLValue
    /// Whether an atom is among the elements of such a list.
    func isMember(_ value: SQLFragment, of list: SQLFragment, _ elements: ListElements) -> SQLFragment
    /// The elements of such a list as the rows of a FROM clause, with the expression that reads one.
    func rows(
        of list: SQLFragment,
        _ elements: ListElements,
        alias: SQLFragment?
    ) -> (source: SQLFragment, element: SQLFragment)
    /// Whether a column's value is among the keys of a list, whose marker is `?`; the column is SQL, such as `t.Z_PK`.
    func memberOfList(column: String) -> String
    /// Whether a column's value is none of the keys of a list, whose marker is `?`.
    func notMemberOfList(column: String) -> String

    // MARK: Order and pages

    /// The name after COLLATE for an order of texts; nil if the database lacks it, and for the order that all
    /// comparisons have.
    func collation(_ order: TextSort) -> String?
    /// A value that sorts in the order of the predicate language; used in sorts, groups and selected columns.
    func ordered(_ value: SQLOperand) -> SQLOperand
    /// Whether NULL sorts first in ascending order without NULLS FIRST.
    var sortsNullFirst: Bool { get }
    /// The end of a statement that returns a part of the rows, with a leading space; both are nil for all rows.
    func page(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment
    /// The end of a SELECT that returns the row at a position, with a leading space; no row for a negative position.
    func row(at place: SQLFragment) -> SQLFragment
    /// A SELECT as a table in FROM, for statements that do not refer to its name.
    func derivedTable(_ select: SQLFragment) -> SQLFragment

    // MARK: Statements

    /// The column that identifies a row of any table during one statement.
    var rowIdentifier: String { get }

    /// Inserts a row, or overwrites the row that has its key.
    func upsert(into table: String, columns: [String], key: [String]) -> String
    /// Inserts a row of literal values unless a row has its key.
    func insertIfAbsent(into table: String, columns: [String], values: [SQLValue]) -> String
}
