// The model of plans, labels and places, and the data for evaluating Swift predicates.
import Foundation
import ManagedGraph

enum PlansModel {
    static func make() -> NSManagedObjectModel {
        func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        let (plan, long) = (entity("Plan", Plan.self), entity("LongPlan", LongPlan.self))
        let (place, label) = (entity("Place", Place.self), entity("Label", Label.self))
        let toPlace = TasksModel.relationship("place", to: place)
        let toPlans = TasksModel.relationship("plans", to: plan, toMany: true)
        (toPlace.inverseRelationship, toPlans.inverseRelationship) = (toPlans, toPlace)
        let within = TasksModel.relationship("within", to: place)
        let parts = TasksModel.relationship("parts", to: place, toMany: true)
        (within.inverseRelationship, parts.inverseRelationship) = (parts, within)
        let labels = TasksModel.relationship("labels", to: label, toMany: true)
        let labelled = TasksModel.relationship("labelled", to: plan, toMany: true)
        (labels.inverseRelationship, labelled.inverseRelationship) = (labelled, labels)
        plan.properties = [
            TasksModel.attribute("title", .stringAttributeType, optional: false),
            TasksModel.attribute("note", .stringAttributeType),
            TasksModel.attribute("rank", .integer64AttributeType),
            TasksModel.attribute("weight", .doubleAttributeType),
            TasksModel.attribute("isDone", .booleanAttributeType),
            TasksModel.attribute("due", .dateAttributeType), toPlace, labels,
        ]
        long.properties = [TasksModel.attribute("phases", .integer64AttributeType)]
        place.properties = [
            TasksModel.attribute("name", .stringAttributeType),
            TasksModel.attribute("floor", .integer64AttributeType), toPlans, within, parts,
        ]
        label.properties = [
            TasksModel.attribute("name", .stringAttributeType),
            TasksModel.attribute("value", .integer64AttributeType), labelled,
        ]
        plan.subentities = [long]
        let model = NSManagedObjectModel()
        model.entities = [plan, long, place, label]
        return model
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
