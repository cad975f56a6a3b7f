// The jobs of the section Migrate, one for each source.
import Synchronization

/// Creates the job of a source on its first use.
final class MigrateJobs: Sendable {
    private let jobs = Mutex<[String: MigrateJob]>([:])

    func job(of source: String) -> MigrateJob {
        jobs.withLock { jobs in
            if let job = jobs[source] { return job }
            let job = MigrateJob()
            jobs[source] = job
            return job
        }
    }

    func cancel() {
        for job in jobs.withLock({ $0 }).values { job.cancel() }
    }
}
