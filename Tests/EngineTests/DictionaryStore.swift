// The store type of the dictionary engine, as shown in Documentation/Engines.md. Used by the tests of the graph.
import GraphEngine
import ManagedGraph

/// A store of the type "Dictionary".
final class DictionaryStore: NSPersistentStore, EngineStore {
    let engine: (any StoreEngine)? = DictionaryEngine()
    override var type: String { "Dictionary" }
    // Requests may use the engine's abilities beyond rows.
    var capabilities: (any StoreEngine)? { engine }
}
