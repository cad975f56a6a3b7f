// The experiment that kills the server in the middle of a save, and checks the store after the restart.
import CoreData
import Foundation
import TableScreens

extension Experiment {
    private static let count = 3_000
    private static let marker = "Saved before the kill"
    /// The check deletes all tasks whose text begins so; those of readers must not.
    private static let cut = "Saved during the kill, no."

    /// Kills the process while it saves some thousand tasks.
    static let killedServer = Experiment(
        name: "kill",
        title: "Kill the server in the middle of a save",
        text: "One task is saved. Then the process kills itself (SIGKILL) while it saves \(count.formatted()) more: no "
            + "destructor runs, no file is closed. “make run” starts the server again; this page waits for it and looks.",
        button: "Kill the Server",
        end: { store in
            try await store.performInBackground { context in
                Task(context: context).text = marker
                try context.save()
                for number in 1...count { Task(context: context).text = "\(cut) \(number)" }
                let token = NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextWillSave,
                    object: context,
                    queue: nil
                ) { _ in
                    // From another thread, while the statements run.
                    Thread.detachNewThread {
                        Thread.sleep(forTimeInterval: 0.08)
                        kill(getpid(), SIGKILL)
                    }
                }
                defer { NotificationCenter.default.removeObserver(token) }
                try context.save()
            }
            // The save was faster than the other thread.
            kill(getpid(), SIGKILL)
        },
        check: { store in
            try await store.performInBackground { context in
                let before = try context.count(for: request("text == %@", marker))
                let after = try context.count(for: request("text BEGINSWITH %@", cut))
                // Leave the world as it was.
                for task in try context.fetch(request("text == %@", marker)) { context.delete(task) }
                for task in try context.fetch(request("text BEGINSWITH %@", cut)) { context.delete(task) }
                try context.save()
                return [
                    Line(.step, "The server was killed, and is there again. The store opened."),
                    Line(
                        before > 0 ? .good : .bad,
                        "The task saved before the kill is \(before > 0 ? "there" : "lost")."
                    ),
                    Line(
                        after == 0 || after == count ? .good : .bad,
                        "Of the save that was cut off, \(after.formatted()) of \(count.formatted()) tasks are there: "
                            + (after == 0 ? "none, since it did not commit." : after == count ? "all." : "a part!")
                    ),
                ]
            }
        }
    )

    private static func request(_ format: String, _ argument: String) -> NSFetchRequest<Task> {
        let request: NSFetchRequest<Task> = Task.fetchRequest()
        request.predicate = NSPredicate(format: format, argument)
        return request
    }
}
