// Fills an empty store with the rows of another one, with their keys.
import GraphEngine
import GraphSQL

extension SQLiteWriter: FillingWriteSession {
    package func beginFilling() { suspendedHistory = history.take() }

    package func advanceKeys(of tree: TreeLayout, beyond key: Int64) throws {
        guard key > 0, let root = engine.schema.entities[tree.rootName] else { return }
        try engine.mapErrors {
            try connection.run(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = ?",
                [.integer(key), .integer(root.number)]
            )
        }
    }
}
