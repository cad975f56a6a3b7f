// Fails each read of the disk once, one after the other, while objects are read, changed and deleted: unreadable data
// is never taken for empty. If a save throws, a retry gives the correct result.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import SafetySupport
import Testing

@Suite(.serialized) struct ReadErrorTests {
    private static let staff = 60
    private let folder: URL
    private let template: URL
    private let model = Self.makeModel()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "reads-\(UUID().uuidString)")
        template = folder.appending(path: "template/Firm.sqlite")
        try FileManager.default.createDirectory(
            at: template.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let firm = try Firm(template, model)
        try firm.context.performAndWait { () throws in
            for name in ["sales", "research", "works"] {
                let department = firm.insert("Department", name)
                for number in 0..<Self.staff {
                    let employee = firm.insert("Employee", "\(name) \(number)")
                    // Long enough that few objects share a page.
                    employee.setValue(String(repeating: "x", count: 1500), forKey: "notes")
                    employee.setValue(number, forKey: "salary")
                    employee.setValue(department, forKey: "department")
                }
            }
            try firm.context.save()
        }
        try firm.close()
    }

    private static func makeModel() -> NSManagedObjectModel {
        let department = NSEntityDescription("Department", [NSAttributeDescription("name")])
        let employee = NSEntityDescription(
            "Employee",
            [
                NSAttributeDescription("name"), NSAttributeDescription("notes"),
                NSAttributeDescription("salary", .integer64AttributeType),
            ]
        )
        department.relate("staff", toMany: true, to: employee, "department")
        department.relate("guarded", toMany: true, to: employee, "guardian", rule: .denyDeleteRule)
        return NSManagedObjectModel([department, employee])
    }

    /// A store of departments with their employees, and a context.
    private final class Firm {
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext

        init(_ url: URL, _ model: NSManagedObjectModel) throws {
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(type: .sqlite, at: url)
            context = coordinator.makeContext()
        }

        func insert(_ entity: String, _ name: String) -> NSManagedObject {
            return context.make(entity, ["name": name])
        }

        /// Finds a department or employee as a fault, without reading its row.
        func find(_ entity: String, _ name: String) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "name == %@", name)
            let identifier = try #require(try twice { try context.fetch(request) }.first)
            return context.object(with: identifier)
        }

        /// Retries once on an error.
        func twice<R>(_ body: () throws -> R) throws -> R {
            do {
                return try body()
            } catch {
                expectEqual((error as NSError).domain, NSCocoaErrorDomain, "\(error)")
                return try body()
            }
        }

        func close() throws {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    /// Runs `steps` once for each of its disk calls, and fails that call.
    private func failingEachRead(_ steps: (Firm) throws -> Void, _ check: (Connection, Fault) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var call = 1
        var hits = 0
        while true {
            let place = folder.appending(path: "\(call)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let url = place.appending(path: "Firm.sqlite")
            try FileManager.default.copyItem(at: template, to: url)
            // Watch the folder before the store is opened, so that its files are included; no call fails yet.
            FaultyDisk.set(nil, in: place.path)
            let firm = try Firm(url, model)
            let fault = Fault(kind: .once, call: call)
            FaultyDisk.set(fault, in: place.path)
            try firm.context.performAndWait { try steps(firm) }
            let isHit = FaultyDisk.calls(in: place.path).failed > 0
            FaultyDisk.set(nil, in: place.path)
            try firm.close()
            let connection = try Connection(path: url.path)
            try check(connection, fault)
            connection.close()
            FaultyDisk.forget(place.path)
            try FileManager.default.removeItem(at: place)
            guard isHit else { break }
            hits += 1
            call += 1
        }
        #expect(hits > 20)
    }

    @Test("Members that were temporarily unreadable are not lost to the delete rules")
    func deletionSpreads() throws {
        try failingEachRead { firm in
            let sales = try firm.find("Department", "sales")
            _ = (sales.value(forKey: "staff") as? Set<NSManagedObject>)?.count
            firm.context.delete(sales)
            try firm.twice { try firm.context.save() }
        } _: { connection, fault in
            let dangling = try connection.rows(
                "SELECT count(*) FROM ZEMPLOYEE WHERE ZDEPARTMENT NOT IN (SELECT Z_PK FROM ZDEPARTMENT)"
            )
            expectEqual(dangling, [[.integer(0)]], "\(fault)")
            let freed = try connection.rows("SELECT count(*) FROM ZEMPLOYEE WHERE ZDEPARTMENT IS NULL")
            expectEqual(freed, [[.integer(Int64(Self.staff))]], "\(fault)")
        }
    }

    @Test("The Deny rule applies even if data was unreadable")
    func denies() throws {
        try failingEachRead { firm in
            let (works, guarded) = (try firm.find("Department", "works"), try firm.find("Employee", "sales 3"))
            guarded.setValue(works, forKey: "guardian")
            try firm.twice {
                guarded.setValue(works, forKey: "guardian")
                try firm.context.save()
            }
            firm.context.reset()
            let again = try firm.find("Department", "works")
            firm.context.delete(again)
            var codes: [Int] = []
            for _ in 0..<2 {
                do {
                    try firm.context.save()
                    Issue.record("it was deleted")
                } catch {
                    codes.append((error as NSError).code)
                }
            }
            expectEqual(codes.last, NSValidationRelationshipDeniedDeleteError)
            firm.context.rollback()
        } _: { connection, fault in
            let rows = try connection.rows("SELECT count(*) FROM ZDEPARTMENT WHERE ZNAME = 'works'")
            expectEqual(rows, [[.integer(1)]], "\(fault)")
        }
    }

    @Test("A value set on an unreadable object is saved and keeps the object's other values")
    func changesOfUnreadObjects() throws {
        try failingEachRead { firm in
            let employee = try firm.find("Employee", "research 7")
            employee.setValue(777, forKey: "salary")
            try firm.twice { try firm.context.save() }
            expectEqual(employee.value(forKey: "salary") as? Int, 777)
        } _: { connection, fault in
            let rows = try connection.rows(
                "SELECT ZSALARY, length(ZNOTES), ZDEPARTMENT IS NULL FROM ZEMPLOYEE WHERE ZNAME = 'research 7'"
            )
            expectEqual(rows, [[.integer(777), .integer(1500), .integer(0)]], "\(fault)")
        }
    }

    @Test("Members are replaced completely, or the save reports that they could not be read")
    func replacedMembers() throws {
        try failingEachRead { firm in
            let (sales, one) = (try firm.find("Department", "sales"), try firm.find("Employee", "sales 5"))
            let other = try firm.find("Employee", "works 5")
            sales.setValue(Set([one, other]), forKey: "staff")
            do {
                try firm.context.save()
            } catch {
                sales.setValue(Set([one, other]), forKey: "staff")
                try firm.context.save()
            }
        } _: { connection, fault in
            let rows = try connection.rows(
                """
                SELECT E.ZNAME FROM ZEMPLOYEE E JOIN ZDEPARTMENT D ON D.Z_PK = E.ZDEPARTMENT WHERE D.ZNAME = 'sales'
                ORDER BY E.ZNAME
                """
            )
            expectEqual(rows, [[.text("sales 5")], [.text("works 5")]], "\(fault)")
        }
    }

    @Test("A child's save changes its parent completely or not at all")
    func childSaves() throws {
        try failingEachRead { firm in
            let child = firm.context.makeChild()
            let (sales, moved) = (try firm.find("Department", "sales"), try firm.find("Employee", "works 9"))
            let (salesID, movedID) = (sales.objectID, moved.objectID)
            try child.performAndWait { () throws in
                let new = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: child)
                new.setValue("new", forKey: "name")
                new.setValue(child.object(with: salesID), forKey: "department")
                child.object(with: movedID).setValue(child.object(with: salesID), forKey: "department")
                child.object(with: movedID).setValue(5, forKey: "salary")
                do {
                    try child.save()
                } catch {
                    #expect(!firm.context.hasChanges)
                    child.object(with: movedID).setValue(child.object(with: salesID), forKey: "department")
                    try child.save()
                }
            }
            try firm.twice { try firm.context.save() }
        } _: { connection, fault in
            let rows = try connection.rows(
                """
                SELECT E.ZNAME, E.ZSALARY FROM ZEMPLOYEE E JOIN ZDEPARTMENT D ON D.Z_PK = E.ZDEPARTMENT
                WHERE D.ZNAME = 'sales' AND E.ZNAME NOT LIKE 'sales%' ORDER BY E.ZNAME
                """
            )
            expectEqual(rows, [[.text("new"), .null], [.text("works 9"), .integer(5)]], "\(fault)")
        }
    }
}
