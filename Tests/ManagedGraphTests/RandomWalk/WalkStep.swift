// One step of a walk: the action, and numbers that choose its objects. Removing other steps does not change the meaning
// of a step, so that a failing walk can be shortened.
import Foundation
import TestSupport

struct WalkStep: CustomStringConvertible {
    enum Action: String, CaseIterable {
        case insert, setName, setCount, setBox, addTag, removeTag, setTags, setPartner, setParent, queue, delete
        case process, save, rollback, refresh, refreshAll, refault, reset, undo, redo, child, fetch
    }
    var context: Int
    var action: Action
    var one: Int
    var two: Int
    var three: Int

    var description: String { "\(action) in \(context) (\(one), \(two), \(three))" }

    static func random(_ random: inout SeededNumbers) -> WalkStep {
        // Changes are more frequent than the steps that end them.
        let weighted: [Action] =
            Action.allCases + [
                .insert, .insert, .setBox, .addTag, .setName, .setParent, .setPartner, .queue, .save, .undo,
            ]
        return WalkStep(
            context: Int.random(in: 0..<2, using: &random),
            action: weighted.randomElement(using: &random) ?? .insert,
            one: Int.random(in: 0..<1000, using: &random),
            two: Int.random(in: 0..<1000, using: &random),
            three: Int.random(in: 0..<1000, using: &random)
        )
    }
}
