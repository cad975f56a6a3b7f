// Tests that a move of a store begins at last, although other threads write all the time.
import Foundation
import Testing

@testable import ManagedGraph

struct WriteGates {
    @Test func aMoveBeginsAmongWritesThatTakeLongerThanOthersWaitForIt() {
        let writers = GateWriters()
        writers.start(12, milliseconds: 200...400)
        #expect(writers.moves())
        writers.end()
    }

    @Test func aMoveWithinAWriteBeginsAfterTheWritesOfOtherThreads() {
        let writers = GateWriters()
        writers.start(12, milliseconds: 5...150)
        let isMoved = writers.gate.writing { writers.moves() }
        #expect(isMoved)
        writers.end()
    }
}
