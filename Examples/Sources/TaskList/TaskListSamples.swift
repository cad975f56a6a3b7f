// The tasks of a first start.
import CoreData
import Foundation

extension Task {
    /// Inserts a few tasks of the last days.
    ///
    /// - Parameter context: A context, on its queue; the caller saves.
    /// - Throws: Nothing at present.
    static func insertSamples(in context: NSManagedObjectContext) throws {
        let hours: [(Double, String)] = [
            (0.4, "Answer Ana’s letter"), (3, "Buy stamps"), (27, "Call the plumber about the kitchen tap"),
            (51, "Find the spare bicycle key"), (76, "Return the library books"),
        ]
        for (ago, text) in hours {
            let task = Task(context: context)
            task.taskText = text
            task.timeStamp = Date(timeIntervalSinceNow: -ago * 3_600)
        }
    }
}
