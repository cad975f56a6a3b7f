// A long-running operation of an application: its title, and the work in a context of its own. An outcome of a screen
// starts it; JobRunner runs it.
import CoreData

/// A long-running operation in a background context, with its progress shown in all open browsers.
public struct Job: Sendable {
    /// The title shown while it runs.
    public var title: String
    let work: @Sendable (NSManagedObjectContext, JobProgress) throws -> String

    /// Creates a job.
    ///
    /// Save often and reset the context: other contexts wait during a save, and see its rows only after it.
    ///
    /// - Parameters:
    ///   - title: The title shown while the job runs.
    ///   - work: The operation, on the context's queue; returns the message to show at the end. Its errors are shown
    ///     too.
    public init(_ title: String, work: @escaping @Sendable (NSManagedObjectContext, JobProgress) throws -> String) {
        self.title = title
        self.work = work
    }
}
