// Work that takes long, described by an application: what it is called, and what it does in a context of its own. A
// screen's outcome starts it; JobRunner runs it.
import CoreData

/// Work in a background context, with progress in all open browsers.
public struct Job: Sendable {
    /// What it is called while it runs.
    public var title: String
    let work: @Sendable (NSManagedObjectContext, JobProgress) throws -> String

    /// Work in a background context.
    ///
    /// Save often and let go of what is saved (`reset()`): others wait for a save, and see its rows after it.
    ///
    /// - Parameters:
    ///   - title: what it is called while it runs.
    ///   - work: does it, on the context's queue; returns what to say when it is done. What it throws is told.
    public init(_ title: String, work: @escaping @Sendable (NSManagedObjectContext, JobProgress) throws -> String) {
        self.title = title
        self.work = work
    }
}

/// How far a job is.
public struct JobProgress: Sendable {
    let report: @Sendable (Double, String) throws -> Void

    /// Tells how far the job is.
    ///
    /// - Parameters:
    ///   - fraction: 0 at the beginning, 1 at the end.
    ///   - words: what has been done.
    /// - Throws: `CancellationError` where somebody has cancelled the job.
    public func tell(_ fraction: Double, _ words: String) throws { try report(fraction, words) }
}
