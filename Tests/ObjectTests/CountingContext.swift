// A context of WrapperTests.
import ManagedGraph

/// A test double as programs define it: counts saves, performs blocks immediately, and fails on demand.
final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
    var saves = 0
    var failure: (any Error)?

    override func save() throws {
        saves += 1
        if let failure { throw failure }
        try super.save()
    }

    var waits = 0

    override func perform(_ block: @escaping () -> Void) { performAndWait { block() } }

    override func performAndWait(_ block: () -> Void) {
        waits += 1
        super.performAndWait(block)
    }
}
