// One step of a run.
import Foundation

/// One step: the changes of a save, or one batch request.
enum Step {
    case save(inserted: [Int: PlannedNote], updated: [Int: PlannedNote], deleted: [Int])
    case batchInsert([Int: PlannedNote])
    case batchUpdate(group: Int, score: Int)
    case batchDelete(group: Int)
}
