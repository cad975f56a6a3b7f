// The numbers and keys of a save in a distributed store. They are taken outside of its transaction, so that saves wait
// for each other only while a counter moves.
import GraphEngine
import GraphSQL

extension PostgreSQLWriter {
    /// Takes the save's number unless it has one, and keys; does nothing if neither is missing.
    ///
    /// - Parameter trees: The number of keys that are missing in some trees.
    /// - Throws: `EngineError`.
    func take(keys trees: [(tree: TreeLayout, count: Int64)]) throws {
        let schema = try engine.requireMap().schema
        var keyCounts: [String: Int64] = [:]
        for (tree, count) in trees {
            guard let entity = schema.entities[tree.rootName] else { continue }
            keyCounts[entity.tableName, default: 0] += count
        }
        let wantsNumber = saveNumber == nil && !isFilling
        guard wantsNumber || !keyCounts.isEmpty else { return }
        let reservation = try withOtherConnection {
            try engine.numbers.take(number: wantsNumber, keys: keyCounts, $0)
        }
        if let number = reservation.number { saveNumber = number }
        for (tree, _) in trees {
            guard let entity = schema.entities[tree.rootName], let range = reservation.keys[entity.tableName] else {
                continue
            }
            engine.keys.keep([range], tree: tree.index)
        }
    }

    /// Replaces a number that others would soon close, before the commit of a long transaction.
    func renewOldNumber() throws {
        guard let former = saveNumber, former.isOld else { return }
        saveNumber = nil
        engine.numbers.noteEnd(of: former)
        try take(keys: [])
    }

    /// Gives the number of a failed save back, so that readers of the history do not wait for it.
    func releaseNumber() {
        guard let number = saveNumber else { return }
        saveNumber = nil
        do {
            try engine.requirePool().withConnection { try engine.numbers.remove(number, $0) }
        } catch {
            // It is removed with the next one, or closed by others after a while.
            engine.numbers.noteEnd(of: number)
            engine.log(.debug, "The number of a failed save could not be removed: \(error)")
        }
    }

    /// Runs `body` with a connection outside of this session's transaction.
    ///
    /// A session that holds one connection of the pool must not wait for another: all could wait for each other.
    private func withOtherConnection<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        try engine.mapErrors {
            guard connection != nil else { return try engine.requirePool().withConnection(body) }
            let newConnection = try PostgreSQLConnection(engine.configuration.address, counters: engine.counters)
            defer { newConnection.close() }
            newConnection.monitor = engine.configuration.monitor
            newConnection.observer = engine.configuration.observe
            return try body(newConnection)
        }
    }
}
