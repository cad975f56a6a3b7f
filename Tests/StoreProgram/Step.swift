// The steps of a run, as values: a seed determines them, so that the writer and the checker need no communication.
// Beside `Plan`.
import Foundation

/// One step: the changes of a save, or one batch request.
enum Step {
    case save(inserted: [Int: PlannedNote], updated: [Int: PlannedNote], deleted: [Int])
    case batchInsert([Int: PlannedNote])
    case batchUpdate(group: Int, score: Int)
    case batchDelete(group: Int)
}
