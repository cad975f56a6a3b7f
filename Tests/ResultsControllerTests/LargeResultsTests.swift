import Foundation
import Testing

@testable import ManagedGraph

@Suite("Many objects, many controllers")
struct LargeResultsTests {
    @Test("One change among 20,000 tasks is one report, and the list's positions stay right")
    func oneChange() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for number in 0..<20_000 { stack.task(String(format: "%05d", number)) }
            try stack.context.save()
            let controller = stack.controller()
            let recorder = Recorder()
            controller.delegate = recorder
            try controller.performFetch()
            let object = controller.object(at: IndexPath(row: 15_000, section: 0))
            object.setValue("00100a", forKey: "text")
            try stack.context.save()
            #expect(recorder.calls == ["will", "move 00100a 0,15000 to 0,101", "did"])
            #expect(controller.indexPath(forObject: object) == IndexPath(row: 101, section: 0))
            controller.tracker.list?.checkInvariants()
        }
    }

    @Test("Of 300 controllers over one context only those whose predicate agrees report")
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
            #expect(recorder.calls == ["will", "update 7 0,0 to 0,0", "did"])
        }
    }
}
