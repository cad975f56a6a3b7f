import ExpectationSupport
import Foundation
import TestSupport
import Testing

@testable import ManagedGraph

@Suite("Many objects, many controllers")
struct LargeResultsTests {
    @Test("One change among 20,000 tasks is one report, and the list's positions stay correct")
    func oneChange() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            try stack.saveTasks(20_000, digits: 5)
            let (controller, recorder) = try stack.recorded()
            let object = controller.object(at: IndexPath(row: 15_000, section: 0))
            object.setValue("00100a", forKey: "text")
            try stack.context.save()
            expectEqual(recorder.calls, ["will", "move 00100a 0,15000 to 0,101", "did"])
            expectEqual(controller.indexPath(forObject: object), IndexPath(row: 101, section: 0))
            controller.tracker.list?.checkInvariants()
        }
    }

    @Test("Of 300 controllers over one context, only those with a matching predicate report")
    func manyControllers() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for number in 0..<300 { stack.task("\(number)", priority: number) }
            try stack.context.save()
            let recorder = Recorder()
            let controllers = (0..<300).map { stack.controller(where: "priority == \($0)") }
            for controller in controllers {
                controller.delegate = recorder
                try controller.performFetch()
            }
            controllers[7].object(at: IndexPath(row: 0, section: 0)).setValue("new", forKey: "note")
            withExtendedLifetime(controllers) { stack.context.processPendingChanges() }
            expectEqual(recorder.calls, ["will", "update 7 0,0 to 0,0", "did"])
        }
    }

    @Test("The array of all objects follows small and large changes; arrays returned earlier do not change")
    func fetchedObjects() throws {
        for inSections in [false, true] {
            let stack = try ResultsStack(inMemory: true)
            try stack.context.performAndWait {
                var random = SeededNumbers(seed: 11)
                for number in 0..<400 { stack.task("\(number)", priority: Int.random(in: 0..<40, using: &random)) }
                try stack.context.save()
                let controller = stack.controller(
                    sort: ["priority", "text"],
                    sections: inSections ? "priority" : nil
                )
                let recorder = Recorder()
                controller.delegate = recorder
                recorder.onDidChange = { erased in
                    let seen = erased.fetchedObjects?.map { ObjectIdentifier($0 as AnyObject) }
                    expectEqual(seen, Self.members(of: controller))
                }
                try controller.performFetch()
                for round in 0..<60 {
                    let held = round % 5 == 0 ? controller.fetchedObjects : nil
                    let before = held?.map(ObjectIdentifier.init)
                    let objects = controller.fetchedObjects ?? []
                    for object in objects.shuffled(using: &random).prefix([1, 3, 40][round % 3]) {
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: stack.context.delete(object)
                        case 1: stack.task("new", priority: Int.random(in: 0..<50, using: &random))
                        default: object.setValue(Int.random(in: 0..<40, using: &random), forKey: "priority")
                        }
                    }
                    stack.context.processPendingChanges()
                    expectEqual(controller.fetchedObjects?.map(ObjectIdentifier.init), Self.members(of: controller))
                    expectEqual(held?.map(ObjectIdentifier.init), before)
                }
            }
        }
    }

    private static func members(of controller: NSFetchedResultsController<ResultTask>) -> [ObjectIdentifier] {
        (controller.sections ?? []).flatMap { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } }
            .map(ObjectIdentifier.init)
    }
}
