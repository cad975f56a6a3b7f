// A coordinator with a context over one store.
import Foundation
import GraphSupport
import ManagedGraph
import Testing

/// A coordinator with a context.
final class StoreStack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    var store: NSPersistentStore { coordinator.persistentStores[0] }

    /// Retained to keep its folder.
    private let world: StoreWorld?

    init(_ coordinator: NSPersistentStoreCoordinator, in world: StoreWorld? = nil) {
        self.coordinator = coordinator
        self.world = world
        context = coordinator.makeContext()
    }

    /// Inserts ten people in two teams, every third a worker.
    func fill() throws {
        try run { context in
            let teams = ["red", "blue"].map { context.make("Team", ["name": $0]) }
            for number in 0..<10 {
                let person = context.make(number % 3 == 0 ? "Worker" : "Person", ["name": "p\(number)", "age": number])
                person.setValue(teams[number % 2], forKey: "team")
                if number % 3 == 0 { person.setValue(Double(number) * 10, forKey: "salary") }
            }
            try context.save()
        }
    }

    func another() -> NSManagedObjectContext {
        return coordinator.makeContext()
    }

    /// All people and the members of all teams, read in a new context.
    func state() throws -> String {
        let context = another()
        return try context.performAndWait { () throws -> String in
            let teams = try context.all("Team").map { "\($0.name): \($0.names("members").joined(separator: " "))" }
            return (try context.names("Person").joined(separator: " ")) + ", " + teams.joined(separator: "; ")
        }
    }

    func run<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        try context.performAndWait { () throws in
            let result = try body(context)
            context.checkInvariants(inverses: .none)
            return result
        }
    }
}
