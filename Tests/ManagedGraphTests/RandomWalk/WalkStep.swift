// One step of a walk: what is done, and numbers that choose upon which objects. The same steps mean the same whatever
// other steps are left out, so that a failing walk can be shortened.
import Foundation

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

    static func random(_ random: inout SplitMix) -> WalkStep {
        // Changes are more frequent than what ends them.
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
