// The steps of a run, as values: a seed determines them, so that the writer and the checker need no communication.
// Beside `Plan`.
import Foundation

/// The expected state of a note.
struct PlannedNote: Equatable {
    var title: String
    var group: Int
    var score = 0
    /// The size of its picture and the byte that fills it; nil for none.
    var picture: Picture?
    var tags: Set<Int> = []

    struct Picture: Equatable {
        var size: Int
        var byte: UInt8
        var data: Data { Data(repeating: byte, count: size) }
    }
}
