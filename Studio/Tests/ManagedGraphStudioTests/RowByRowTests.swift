import CoreData
import Foundation
import Synchronization
import Testing

@testable import ManagedGraphStudio

struct RowByRowTests {
    private let container: NSPersistentContainer
    private let folder: URL

    init() async throws {
        let department = NSEntityDescription()
        department.name = "Department"
        let employee = NSEntityDescription()
        employee.name = "Employee"
        let desk = NSEntityDescription()
        desk.name = "Desk"
        func attribute() -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = "name"
            attribute.attributeType = .stringAttributeType
            return attribute
        }
        func relationship(_ name: String, to entity: NSEntityDescription, max: Int) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = entity
            relationship.maxCount = max
            relationship.isOptional = true
            return relationship
        }
        func join(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
            one.inverseRelationship = other
            other.inverseRelationship = one
        }
        let staff = relationship("staff", to: employee, max: 0)
        let place = relationship("department", to: department, max: 1)
        let desks = relationship("desk", to: desk, max: 1)
        let owner = relationship("owner", to: employee, max: 1)
        join(staff, place)
        join(desks, owner)
        department.properties = [attribute(), staff]
        employee.properties = [attribute(), place, desks]
        desk.properties = [attribute(), owner]
        let model = NSManagedObjectModel()
        model.entities = [department, employee, desk]
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("row-by-row-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = NSPersistentContainer(name: "Company", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.appendingPathComponent("Company.sqlite"))
        ]
        let failure = Mutex<(any Error)?>(nil)
        container.loadPersistentStores { _, error in failure.withLock { $0 = error } }
        if let error = failure.withLock({ $0 }) { throw error }
        let context = container.newBackgroundContext()
        try await context.perform {
            for number in 0..<8 {
                let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
                department.setValue("\(number)", forKey: "name")
                let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
                employee.setValue("\(number)", forKey: "name")
                employee.setValue(department, forKey: "department")
                let desk = NSEntityDescription.insertNewObject(forEntityName: "Desk", into: context)
                desk.setValue("\(number)", forKey: "name")
                employee.setValue(desk, forKey: "desk")
            }
            try context.save()
        }
    }

    /// The warnings of the statements that work in a new context runs.
    private func warnings(_ work: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws
        -> [RowByRowWarning]
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let entries = Mutex<[LiveEntry]>([])
        let observation = container.persistentStoreCoordinator.observeActivity { activity in
            entries.withLock { $0.append(.activity(activity, at: Date())) }
        }
        let context = container.newBackgroundContext()
        context.name = "reader"
        try await context.perform { try work(context) }
        observation.cancel()
        let digested = RowByRowGuard(container.managedObjectModel).digest(entries.withLock { $0 })
        return digested.compactMap { if case .warning(let warning, _) = $0 { warning } else { nil } }
    }

    @Test func toManyRelationshipsReadOneByOneNameThePrefetch() async throws {
        let warnings = try await warnings { context in
            for department in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department")) {
                _ = (department.value(forKey: "staff") as? NSSet)?.count
            }
        }
        let warning = try #require(warnings.first { $0.property == "staff" })
        #expect(warning.count == 8 && warning.context == "reader" && warning.time > 0)
        #expect(warning.fetched == "Department" && warning.path == "staff")
        #expect(warning.cure.contains("relationshipKeyPathsForPrefetching = [\"staff\"]"))
    }

    @Test func toOneRelationshipsAreFoundByTheRowsTheyRead() async throws {
        let warnings = try await warnings { context in
            for employee in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")) {
                _ = (employee.value(forKey: "desk") as? NSManagedObject)?.value(forKey: "name")
            }
        }
        let warning = try #require(warnings.first)
        #expect(warning.entity == "Desk" && warning.path == "desk" && warning.fetched == "Employee")
    }

    @Test func relationshipsOfRelatedObjectsNameTheWholePath() async throws {
        let warnings = try await warnings { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.relationshipKeyPathsForPrefetching = ["staff"]
            for department in try context.fetch(request) {
                for employee in (department.value(forKey: "staff") as? Set<NSManagedObject>) ?? [] {
                    _ = (employee.value(forKey: "desk") as? NSManagedObject)?.value(forKey: "name")
                }
            }
        }
        #expect(warnings.map(\.path) == ["staff.desk"])
    }

    @Test func theCureCures() async throws {
        let warnings = try await warnings { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.relationshipKeyPathsForPrefetching = ["staff.desk"]
            for department in try context.fetch(request) {
                for employee in (department.value(forKey: "staff") as? Set<NSManagedObject>) ?? [] {
                    _ = (employee.value(forKey: "desk") as? NSManagedObject)?.value(forKey: "name")
                }
            }
        }
        #expect(warnings.isEmpty)
    }

    @Test func aFewReadsAreNotReported() async throws {
        let warnings = try await warnings { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.fetchLimit = RowByRowGuard.threshold - 1
            for department in try context.fetch(request) { _ = (department.value(forKey: "staff") as? NSSet)?.count }
        }
        #expect(warnings.isEmpty)
    }
}
