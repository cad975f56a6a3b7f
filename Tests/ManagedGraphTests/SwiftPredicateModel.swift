// Classes whose key paths are named as the build plugin names them, and the data that Swift predicates are judged on.
import Foundation
import ManagedGraph

class Plan: NSManagedObject {
    enum Keys {
        static let title = ManagedProperty("title")
        static let note = ManagedProperty("note")
        static let rank = ManagedProperty("rank")
        static let weight = ManagedProperty("weight")
        static let isDone = ManagedProperty("isDone")
        static let due = ManagedProperty("due")
        static let place = ManagedProperty("place")
        static let labels = ManagedProperty("labels")
    }
    var title: String {
        get { managedValue(for: Keys.title) }
        set { setManagedValue(newValue, for: Keys.title) }
    }
    var note: String? {
        get { managedValue(for: Keys.note) }
        set { setManagedValue(newValue, for: Keys.note) }
    }
    var rank: Int64 {
        get { managedValue(for: Keys.rank) }
        set { setManagedValue(newValue, for: Keys.rank) }
    }
    var weight: Double {
        get { managedValue(for: Keys.weight) }
        set { setManagedValue(newValue, for: Keys.weight) }
    }
    var isDone: Bool {
        get { managedValue(for: Keys.isDone) }
        set { setManagedValue(newValue, for: Keys.isDone) }
    }
    var due: Date? {
        get { managedValue(for: Keys.due) }
        set { setManagedValue(newValue, for: Keys.due) }
    }
    var place: Place? {
        get { managedValue(for: Keys.place) }
        set { setManagedValue(newValue, for: Keys.place) }
    }
    var labels: Set<Label> {
        get { managedValue(for: Keys.labels) }
        set { setManagedValue(newValue, for: Keys.labels) }
    }
    /// The same relationship as Xcode's classes declare it.
    var labelSet: NSSet? { managedValue(for: Keys.labels) }
    /// No property of the model.
    var shout: String { title.uppercased() }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("title", \Plan.title, \Plan?.?.title), ManagedKeyPath("note", \Plan.note, \Plan?.?.note),
            ManagedKeyPath("rank", \Plan.rank, \Plan?.?.rank), ManagedKeyPath("weight", \Plan.weight, \Plan?.?.weight),
            ManagedKeyPath("isDone", \Plan.isDone, \Plan?.?.isDone), ManagedKeyPath("due", \Plan.due, \Plan?.?.due),
            ManagedKeyPath("place", \Plan.place, \Plan?.?.place),
            ManagedKeyPath("labels", \Plan.labels, \Plan?.?.labels),
            ManagedKeyPath("labels", \Plan.labelSet, \Plan?.?.labelSet),
            ManagedKeyPath("objectID", \Plan.objectID, \Plan?.?.objectID),
        ]
    }
}

/// Adds a property to what it inherits.
final class LongPlan: Plan {
    var phases: Int64 {
        get { managedValue(for: ManagedProperty("phases")) }
        set { setManagedValue(newValue, for: ManagedProperty("phases")) }
    }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("phases", \LongPlan.phases, \LongPlan?.?.phases),
            ManagedKeyPath("title", \LongPlan.title, \LongPlan?.?.title),
            ManagedKeyPath("rank", \LongPlan.rank, \LongPlan?.?.rank),
        ]
    }
}

final class Place: NSManagedObject {
    enum Keys {
        static let name = ManagedProperty("name")
        static let floor = ManagedProperty("floor")
        static let within = ManagedProperty("within")
        static let plans = ManagedProperty("plans")
    }
    var name: String? {
        get { managedValue(for: Keys.name) }
        set { setManagedValue(newValue, for: Keys.name) }
    }
    var floor: Int64 {
        get { managedValue(for: Keys.floor) }
        set { setManagedValue(newValue, for: Keys.floor) }
    }
    var within: Place? {
        get { managedValue(for: Keys.within) }
        set { setManagedValue(newValue, for: Keys.within) }
    }
    var plans: Set<Plan> {
        get { managedValue(for: Keys.plans) }
        set { setManagedValue(newValue, for: Keys.plans) }
    }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("name", \Place.name, \Place?.?.name), ManagedKeyPath("floor", \Place.floor, \Place?.?.floor),
            ManagedKeyPath("within", \Place.within, \Place?.?.within),
            ManagedKeyPath("plans", \Place.plans, \Place?.?.plans),
        ]
    }
}

final class Label: NSManagedObject {
    enum Keys {
        static let name = ManagedProperty("name")
        static let value = ManagedProperty("value")
    }
    var name: String? {
        get { managedValue(for: Keys.name) }
        set { setManagedValue(newValue, for: Keys.name) }
    }
    var value: Int64 {
        get { managedValue(for: Keys.value) }
        set { setManagedValue(newValue, for: Keys.value) }
    }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [
            ManagedKeyPath("name", \Label.name, \Label?.?.name),
            ManagedKeyPath("value", \Label.value, \Label?.?.value),
        ]
    }
}

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

    /// Fills a context with objects that have, and lack, everything that a predicate may ask for.
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
