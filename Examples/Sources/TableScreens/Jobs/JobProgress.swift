// The progress of a job.
import CoreData

/// The progress of a job.
public struct JobProgress: Sendable {
    let receiver: @Sendable (Double, String) throws -> Void

    /// Reports the progress of the job.
    ///
    /// - Parameters:
    ///   - fraction: 0 at the beginning, 1 at the end.
    ///   - words: A description of the progress.
    /// - Throws: `CancellationError` if a reader has cancelled the job.
    public func report(_ fraction: Double, _ words: String) throws { try receiver(fraction, words) }
}
