// The experiment of two people with one task: the conflict, and its resolution value by value.
import CoreData
import Foundation
import TableScreens

extension Experiment {
    /// Saves two changes of one object from two contexts, first without and then with a merge policy.
    static let twoPeople = Experiment(
        name: "two-people",
        title: "Two people change one object",
        text: "Ana and Ben read the same task, each in a context of their own. Ana saves first. Ben’s save meets a row "
            + "that is no longer the one he has read.",
        button: "Let Both Save"
    ) { store in
        let text = "Who wins?"
        let objectID = try await store.performInBackground { context in
            let request: NSFetchRequest<Task> = Task.fetchRequest()
            request.predicate = NSPredicate(format: "text BEGINSWITH %@", text)
            let task = try context.fetch(request).first ?? Task(context: context)
            task.text = text
            task.priority = Priority.none.rawValue
            task.dueDate = Date(timeIntervalSinceNow: 24 * 3_600)
            try context.save()
            return task.objectID
        }
        let (ana, ben) = (store.newBackgroundContext(), store.newBackgroundContext())
        var lines = [Line(.step, "Ana sets the text to “Who wins? Ana” and the priority to Medium, and saves.")]
        lines += try await ben.perform {
            let read = try task(objectID, in: ben)
            _ = read.text
            try ana.performAndWait {
                let task = try task(objectID, in: ana)
                task.text = "Who wins? Ana"
                task.priority = Priority.medium.rawValue
                try ana.save()
            }
            return try benSaves(read, in: ben)
        }
        let reference = objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "-")
        lines.append(
            Line(
                .step,
                "Now you: change the text in both windows, and save both.",
                twoWindows: "/Tasks/task/\(reference)/text"
            )
        )
        return lines
    }

    private static func task(_ objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Task {
        guard let task = try context.existingObject(with: objectID) as? Task else { throw ScreenError.notFound }
        return task
    }

    private static func benSaves(_ task: Task, in context: NSManagedObjectContext) throws -> [Line] {
        task.text = "Who wins? Ben"
        var lines = [Line(.step, "Ben sets the text to “Who wins? Ben”, and saves with the error merge policy.")]
        do {
            try context.save()
            lines.append(Line(.bad, "Ben’s save succeeded, and Ana’s change is lost."))
        } catch let error as NSError {
            lines.append(Line(.bad, "Error \(error.code): \(error.localizedDescription)"))
            for case let conflict as NSMergeConflict in error.userInfo["conflictList"] as? [Any] ?? [] {
                let storedText = (conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["text"] as? String ?? ""
                let ownText = conflict.objectSnapshot?["text"] as? String ?? ""
                lines.append(
                    Line(
                        .aside,
                        "Ben has read “\(ownText)”, version \(conflict.oldVersionNumber); "
                            + "the store has “\(storedText)”, version \(conflict.newVersionNumber)."
                    )
                )
            }
        }
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        let priority = Priority(rawValue: task.priority)?.title ?? ""
        lines.append(Line(.step, "Ben saves again, with a policy that merges value by value."))
        lines.append(
            Line(
                task.text == "Who wins? Ben" && task.priority == Priority.medium.rawValue ? .good : .bad,
                "Saved: the text is “\(task.text ?? "")”, Ben’s; the priority is \(priority), Ana’s, which Ben did not "
                    + "touch."
            )
        )
        return lines
    }
}
