// Starts an application's jobs, and tells its browsers how far they are.
import CoreData

extension ApplicationStore {
    /// Starts a job in a background context.
    ///
    /// - Throws: `ScreenError.badInput` where one is running.
    func start(_ job: Job) throws {
        // A job goes on when its rows have been taken in: otherwise merges would pile up, and pages wait for all of them.
        try jobs.start(job, in: newBackgroundContext(), pause: { [weak self] in self?.catchUp() }) { [weak self] in
            self?.tell($0)
        }
    }

    /// Forgets a job that is over.
    func dismissJob() { jobs.dismiss { tell($0) } }

    private func tell(_ state: JobState?) {
        watchers.tell(state?.json ?? "{}")
    }
}
