// Fills an empty store with the rows of another one, with their keys.
import GraphEngine
import GraphSQL

extension PostgreSQLWriter: FillingWriteSession {
    package func beginFilling() { isFilling = true }

    package func advanceKeys(of tree: TreeLayout, beyond key: Int64) throws {
        guard key > 0, let entity = try engine.requireMap().schema.entities[tree.rootName] else { return }
        if engine.profile == .distributed {
            _ = try run(
                SQLStatement(
                    "UPDATE \(engine.own.counter) SET next = GREATEST(next, $2) WHERE name = $1",
                    [.text(entity.tableName), .integer(key + 1)]
                )
            )
            return
        }
        let sequence = try engine.requireMap().schema.dialect.table(TableStatements.sequence(of: entity.tableName))
        // Keys are given in blocks: the next block begins after the last key.
        _ = try run(
            SQLStatement(
                "SELECT setval($1::regclass, $2, true)",
                [.text(sequence), .integer(key / KeyBlocks.size * KeyBlocks.size + 1)]
            )
        )
    }
}
