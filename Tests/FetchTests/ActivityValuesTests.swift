// Live observation with values: the properties of saved objects before and after, and the list of contexts.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct ActivityValues {
    private let company: Company
    private let context: NSManagedObjectContext
    private let saves = Saves()

    /// The saves of an observation.
    private final class Saves: Sendable {
        private let collected = Mutex<[StoreActivity.FinishedSave]>([])

        func add(_ activity: StoreActivity) {
            if case .saveFinished(let save) = activity { collected.withLock { $0.append(save) } }
        }

        var last: StoreActivity.FinishedSave? { collected.withLock { $0.last } }
    }

    init() throws {
        company = try Company(departments: 2, employees: 2)
        context = company.stack.otherContext()
    }

    private func observe(recordsValues: Bool = true) -> ActivityObservation {
        company.stack.coordinator.observeActivity(recordsValues: recordsValues) { [saves] in saves.add($0) }
    }

    @Test func updatesHaveValuesBeforeAndAfter() throws {
        let observation = observe()
        defer { observation.cancel() }
        let moved = try context.run { () throws -> (NSManagedObjectID, NSManagedObjectID?, NSManagedObjectID) in
            let employee = try #require(context.fetch(Company.request("Employee")).first)
            let former = (employee.value(forKey: "desk") as? NSManagedObject)?.objectID
            let desk = NSEntityDescription.insertNewObject(forEntityName: "Desk", into: context)
            employee.setValue("Mia", forKey: "name")
            employee.setValue(desk, forKey: "desk")
            try context.save()
            return (employee.objectID, former, desk.objectID)
        }
        let save = try #require(saves.last)
        let employee = try #require(save.updated.first { $0.objectID == moved.0 })
        expectEqual(employee.changes.map(\.name), employee.properties)
        let name = try #require(employee.changes.first { $0.name == "name" })
        expectEqual((name.before as? String)?.isEmpty, false)
        #expect(name.before as? String != "Mia")
        expectEqual(name.after as? String, "Mia")
        #expect(name.isRecorded)
        let desk = try #require(employee.changes.first { $0.name == "desk" })
        expectEqual(desk.before as? NSManagedObjectID, moved.1)
        expectEqual(desk.after as? NSManagedObjectID, moved.2, "The permanent identifier of the new object.")
        #expect(!moved.2.isTemporaryID)
        expectEqual(save.inserted.first?.changes.allSatisfy { $0.before == nil }, true)
    }

    @Test func deletedObjectsHaveTheirLastValues() throws {
        let observation = observe()
        defer { observation.cancel() }
        let deleted = try context.run { () throws -> (NSManagedObjectID, String?) in
            let employee = try #require(context.fetch(Company.request("Employee")).first)
            let name = employee.value(forKey: "name") as? String
            context.delete(employee)
            try context.save()
            return (employee.objectID, name)
        }
        let object = try #require(saves.last?.deletedObjects.first { $0.objectID == deleted.0 })
        let name = try #require(object.changes.first { $0.name == "name" })
        expectEqual(name.before as? String, deleted.1)
        expectNil(name.after)
    }

    @Test func toManyRelationshipsAreNamedWithoutValues() throws {
        let observation = observe()
        defer { observation.cancel() }
        try context.run { () throws in
            let employee = try #require(context.fetch(Company.request("Employee")).first)
            let departments = try context.fetch(Company.request("Department"))
            let otherDepartment = departments.first { $0 != employee.value(forKey: "department") as? NSManagedObject }
            employee.setValue(otherDepartment, forKey: "department")
            try context.save()
        }
        let departments = try #require(saves.last?.updated.filter { $0.entity == "Department" })
        #expect(departments.allSatisfy { $0.changes.allSatisfy { !$0.isRecorded && $0.before == nil } })
    }

    @Test func observationsThatDoNotAskReceiveNoValues() throws {
        let observation = observe(recordsValues: false)
        defer { observation.cancel() }
        try context.run { () throws in
            let employees = try context.fetch(Company.request("Employee"))
            try #require(employees.count > 1)
            employees[0].setValue("Mia", forKey: "name")
            context.delete(employees[1])
            try context.save()
        }
        let save = try #require(saves.last)
        #expect(save.updated.allSatisfy { $0.changes.isEmpty } && save.deletedObjects.isEmpty)
        #expect(save.updated.contains { $0.properties.contains("name") })
        expectEqual(save.deleted.count, 1)
    }

    @Test func theCoordinatorListsItsLivingContexts() throws {
        let coordinator = company.stack.coordinator
        let before = coordinator.attachedContexts.count
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        weak var gone: NSManagedObjectContext?
        do {
            let other = company.stack.otherContext()
            gone = other
            #expect(coordinator.attachedContexts.contains { $0 === other })
        }
        expectNil(gone)
        expectEqual(coordinator.attachedContexts.count, before + 1)
        #expect(coordinator.attachedContexts.last === child)
        // Contexts that the framework creates for a request are not listed.
        try context.run { () throws in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Desk", into: context)
            let list = NSFetchRequest<NSDictionary>(entityName: "Desk")
            list.resultType = .dictionaryResultType
            _ = try context.fetch(list)
        }
        expectEqual(coordinator.attachedContexts.count, before + 1)
    }
}
