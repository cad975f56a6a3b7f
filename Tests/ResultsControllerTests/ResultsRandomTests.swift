import ExpectationSupport
import Foundation
import ManagedGraph
import TestSupport
import Testing

@Suite("Random walks of a context under a results controller")
struct ResultsRandomTests {
    static let seeds: [UInt64] = (0..<12).map { _ in UInt64.random(in: .min ... .max) }

    @Test("The delegate's notifications build the results, and a new fetch matches them", arguments: seeds)
    func walk(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededNumbers(seed: seed)
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            var locations = ["A", "B", "C", "D"].map { stack.location($0) }
            for number in 0..<30 { stack.task("t\(number)", priority: number % 4, at: locations.randomElement()) }
            try stack.context.save()
            let inSections = Bool.random(using: &random)
            let format = Bool.random(using: &random) ? "priority < 3" : nil
            let controller = stack.controller(
                sort: ["location.name", "priority", "text"],
                sections: inSections ? "location.name" : nil,
                where: format
            )
            let table = TableDelegate()
            controller.delegate = table
            try controller.performFetch()
            table.rows = (controller.sections ?? []).map { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } }
            var number = 30
            for _ in 0..<40 {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let task = controller.fetchedObjects?.filter { !$0.isDeleted }.randomElement(using: &random)
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0:
                        stack.task("t\(number)", priority: number % 4, at: locations.randomElement(using: &random))
                        number += 1
                    case 1: task.map { stack.context.delete($0) }
                    case 2: task?.setValue(Int.random(in: 0...3, using: &random), forKey: "priority")
                    case 3: task?.setValue(locations.randomElement(using: &random), forKey: "location")
                    case 4: task?.setValue("note", forKey: "note")
                    case 5:
                        let name = "\(["A", "B", "C", "X", "Y"].randomElement(using: &random) ?? "")\(number % 3)"
                        locations.randomElement(using: &random)?.setValue(name, forKey: "name")
                    case 6: task?.setValue(nil, forKey: "location")
                    default:
                        if locations.count > 2 {
                            stack.context.delete(locations.removeLast())
                        } else {
                            locations.append(stack.location("L\(number)"))
                        }
                    }
                }
                let saves = Bool.random(using: &random)
                if saves { try stack.context.save() } else { stack.context.processPendingChanges() }
                let sections = controller.sections ?? []
                let rows = sections.map { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } }
                expectEqual(table.rows, rows)
                expectEqual(controller.fetchedObjects.map { $0 as [NSManagedObject] }, rows.flatMap { $0 })
                let fresh = stack.controller(
                    sort: ["location.name", "priority", "text"],
                    sections: inSections ? "location.name" : nil,
                    where: format
                )
                try fresh.performFetch()
                expectEqual(fresh.picture, controller.picture)
            }
        }
    }
}
