// The model of plans, labels and places, and the data for evaluating Swift predicates.
import Foundation
import GraphSupport
import ManagedGraph

enum PlansModel {
    static func make() -> NSManagedObjectModel {
        let plan = NSEntityDescription("Plan", type: Plan.self)
        let long = NSEntityDescription("LongPlan", type: LongPlan.self)
        let place = NSEntityDescription("Place", type: Place.self)
        let label = NSEntityDescription("Label", type: Label.self)
        plan.properties = [
            NSAttributeDescription("title", .stringAttributeType, optional: false),
            NSAttributeDescription("note"),
            NSAttributeDescription("rank", .integer64AttributeType),
            NSAttributeDescription("weight", .doubleAttributeType),
            NSAttributeDescription("isDone", .booleanAttributeType),
            NSAttributeDescription("due", .dateAttributeType),
        ]
        long.properties = [NSAttributeDescription("phases", .integer64AttributeType)]
        place.properties = [
            NSAttributeDescription("name"),
            NSAttributeDescription("floor", .integer64AttributeType),
        ]
        label.properties = [
            NSAttributeDescription("name"),
            NSAttributeDescription("value", .integer64AttributeType),
        ]
        plan.subentities = [long]
        plan.relate("place", to: place, "plans", inverseToMany: true)
        place.relate("within", to: place, "parts", inverseToMany: true)
        plan.relate("labels", toMany: true, to: label, "labelled", inverseToMany: true)
        return NSManagedObjectModel([plan, long, place, label])
    }

    /// Fills a context with objects with and without each value that a predicate may test.
    static func fill(_ context: NSManagedObjectContext) throws {
        let names: [String?] = ["Home", "office", nil, "Café", "Cafe\u{301}", "straße"]
        var places: [Place] = []
        for (index, name) in names.enumerated() {
            let place = Place(context: context)
            place.name = name
            if index != 4 { place.floor = Int64(index) - 1 } else { place.setValue(nil, forKey: "floor") }
            if index > 1 { place.within = places[index - 2] }
            places.append(place)
        }
        let labels = (0..<5).map { index -> Label in
            let label = Label(context: context)
            label.name = index == 3 ? nil : ["red", "Green", "blue", "", "réd"][index]
            label.value = Int64(index) * 10
            return label
        }
        let titles = ["a", "b", "Alpha", "beta", "Gamma 10", "Gamma 9", "", "Éclair", "e\u{301}clair", "x.y", "delta"]
        for index in 0..<66 {
            let plan = index % 7 == 0 ? LongPlan(context: context) : Plan(context: context)
            plan.title = titles[index % titles.count]
            if index % 3 != 0 { plan.note = titles[(index * 5 + 2) % titles.count] }
            if index % 5 != 4 { plan.rank = Int64(index % 9) - 3 } else { plan.setValue(nil, forKey: "rank") }
            if index % 4 != 3 { plan.weight = Double(index % 6) / 4 } else { plan.setValue(nil, forKey: "weight") }
            if index % 4 != 1 { plan.isDone = index % 2 == 0 } else { plan.setValue(nil, forKey: "isDone") }
            if index % 3 != 1 { plan.due = Date(timeIntervalSinceReferenceDate: Double(index % 10) * 86_400) }
            if index % 6 != 5 { plan.place = places[index % places.count] }
            plan.labels = Set(labels.enumerated().filter { index & (1 << $0.offset) != 0 }.map(\.element))
            if let long = plan as? LongPlan { long.phases = Int64(index % 4) }
        }
        try context.save()
    }
}
