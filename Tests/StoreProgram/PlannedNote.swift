// A note as the plan of a run expects it.
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
