// A model that no store, context or object has used is released with its entities, although these lead to each other. One
// that was used stays in memory (Documentation/Architecture.md).
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite struct ModelRelease {
    private static func make() -> NSManagedObjectModel {
        let team = NSEntityDescription("Team", [NSAttributeDescription("name")])
        let person = NSEntityDescription("Person")
        team.relate("members", toMany: true, to: person, "team")
        let worker = NSEntityDescription("Worker")
        person.subentities = [worker]
        return NSManagedObjectModel([team, person, worker])
    }

    @Test func aModelThatWasOnlyMadeIsReleased() {
        weak var model: NSManagedObjectModel?
        weak var entity: NSEntityDescription?
        do {
            let made = Self.make()
            (model, entity) = (made, made.entitiesByName["Person"])
            #expect(model != nil && entity != nil)
        }
        #expect(model == nil && entity == nil)
    }
}
