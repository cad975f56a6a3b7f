// What an engine asks of the graph above it. Implemented by the faces of stores.

/// What an engine knows of the graph: nothing but this.
package protocol EngineHost: AnyObject {
    /// The row that an object or identifier among a predicate's constants stands for; nil for any other value.
    func row(of constant: Any) -> ConstantRow?
    /// The name of an entity description among a predicate's constants; nil for any other value.
    func entityName(of constant: Any) -> String?
    /// Writes to the program's log.
    func log(_ severity: LogSeverity, _ message: String)
}

/// How serious a line of the log is.
package enum LogSeverity: Sendable { case debug, warning, error }

/// The row that a constant stands for.
package struct ConstantRow {
    package var key: ObjectKey
    /// Whether it is a row of another store, or of none: it equals no row of this one.
    package var isElsewhere: Bool

    package init(key: ObjectKey, isElsewhere: Bool) {
        self.key = key
        self.isElsewhere = isElsewhere
    }
}
