// Starts an application's jobs, and reports their progress to its browsers.
import CoreData

extension ApplicationStore {
    /// Starts a job in a background context.
    ///
    /// - Throws: `ScreenError.badInput` if another job is running.
    func start(_ job: Job) throws {
        // The job waits until its rows have been merged; otherwise merges would pile up and delay every page.
        let context = newBackgroundContext()
        // Readers continue to work. If one has changed an object that the job changes, the job's values are stored.
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try jobs.start(job, in: context, pause: { [weak self] in self?.catchUp() }) { [weak self] in
            self?.publish($0)
        }
    }

    /// Removes the state of a finished job.
    func dismissJob() { jobs.dismiss { publish($0) } }

    private func publish(_ state: JobState?) {
        watchers.send(state?.json ?? "{}")
    }
}
