// The contexts of a coordinator with the number of their objects, which is read on each context's queue. A context whose queue
// is busy keeps its last figure.
import CoreData
import Foundation
import Synchronization
import WebSupport

final class ContextFigures: Sendable {
    private struct Figure {
        var name: String
        var author: String
        var kind: String
        var registered: Int
        var unsaved: Int
        var faults: Int
    }

    private struct State {
        var figures: [ObjectIdentifier: Figure] = [:]
        var order: [ObjectIdentifier] = []
        /// Contexts that have not answered yet.
        var asked: Set<ObjectIdentifier> = []
    }

    private let state = Mutex(State())
    private let coordinator: NSPersistentStoreCoordinator

    init(_ coordinator: NSPersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    /// Asks all contexts for their figures, without waiting.
    func read() {
        let contexts = coordinator.attachedContexts
        let waiting = state.withLock { state -> Set<ObjectIdentifier> in
            state.order = contexts.map { ObjectIdentifier($0) }
            let living = Set(state.order)
            state.figures = state.figures.filter { living.contains($0.key) }
            state.asked.formIntersection(living)
            defer { state.asked = living }
            return state.asked
        }
        for context in contexts where !waiting.contains(ObjectIdentifier(context)) {
            // A weak reference: this request must not keep a context alive whose queue is not served.
            context.perform { [weak self, weak context] in
                guard let context else { return }
                let id = ObjectIdentifier(context)
                let figure = Figure(
                    name: context.name ?? "",
                    author: context.transactionAuthor ?? "",
                    kind: Self.kind(context),
                    registered: context.registeredObjectCount,
                    unsaved: context.insertedObjects.count + context.updatedObjects.count
                        + context.deletedObjects.count,
                    faults: Int(context.statistics.faultsFired)
                )
                self?.state.withLock { state in
                    state.figures[id] = figure
                    state.asked.remove(id)
                }
            }
        }
    }

    private static func kind(_ context: NSManagedObjectContext) -> String {
        if context.parent != nil { return "child" }
        return context.concurrencyType == .mainQueueConcurrencyType ? "main queue" : "private queue"
    }

    var json: JSONValue {
        let figures = state.withLock { state in state.order.compactMap { id in state.figures[id].map { (id, $0) } } }
        return .array(
            figures.map { id, figure in
                .object([
                    ("id", .string(String(UInt(bitPattern: id.hashValue), radix: 36))), ("name", .string(figure.name)),
                    ("author", .string(figure.author)), ("kind", .string(figure.kind)),
                    ("registered", .integer(figure.registered)), ("unsaved", .integer(figure.unsaved)),
                    ("faults", .integer(figure.faults)),
                ])
            }
        )
    }
}
