// The tasks of open event streams, which end with the server.
import Synchronization

/// Tasks that are cancelled when the server stops.
final class DataStreams: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) {
        tasks.withLock { tasks in
            tasks.removeAll(where: \.isCancelled)
            tasks.append(task)
        }
    }

    func close() {
        let all = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in all { task.cancel() }
    }
}
