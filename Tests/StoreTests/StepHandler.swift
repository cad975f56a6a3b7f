// The steps of the stores of ConcurrentMoveTests.
import ManagedGraph

/// Code of a test that its stores run at each step.
final class StepHandler: Sendable {
    static let key = "StepHandler"
    let body: @Sendable (_ step: String) -> Void

    init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }
}

extension NSPersistentStore {
    func step(_ name: String) { (options?[StepHandler.key] as? StepHandler)?.body(name) }
}
