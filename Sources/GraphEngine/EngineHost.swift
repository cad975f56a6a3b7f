// The services that an engine requires from the graph. Implemented by persistent stores.

/// The engine's only interface to the graph.
package protocol EngineHost: AnyObject {
    /// The row of an object or identifier among a predicate's constants; nil for any other value.
    func row(of constant: Any) -> ConstantRow?
    /// The name of an entity description among a predicate's constants; nil for any other value.
    func entityName(of constant: Any) -> String?
    /// Writes to the program's log.
    func log(_ severity: LogSeverity, _ message: String)
}
