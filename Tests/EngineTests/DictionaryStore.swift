// The face of the engine whose rows stand in dictionaries, as Documentation/Engines.md shows it. Used by the tests of the
// graph.
import GraphEngine
import ManagedGraph

/// A store of the type "Dictionary".
final class DictionaryStore: NSPersistentStore, EngineStore {
    let engine: (any StoreEngine)? = DictionaryEngine()
    override var type: String { "Dictionary" }
    // Requests may use what the engine can do beyond rows.
    var capabilities: (any StoreEngine)? { engine }
}
