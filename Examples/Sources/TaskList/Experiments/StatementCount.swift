// Counts the statements of an observation.
import CoreData
import Synchronization

final class StatementCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func note(_ activity: StoreActivity) {
        if case .statement = activity { count.withLock { $0 += 1 } }
    }
}
