// Live observation of statements, faults and saves: causes, contexts, turning it on and off.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ActivityCauses {
    private let company: Company
    private let context: NSManagedObjectContext
    private let log: ActivityLog

    init() throws {
        company = try Company(departments: 2, employees: 5)
        context = company.stack.otherContext()
        (context.name, context.transactionAuthor) = ("reader", "ann")
        log = ActivityLog(company.stack.coordinator)
    }

    private func keys(_ entity: String) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        return try company.stack.context.run { () throws in try company.stack.context.fetch(request) }
    }

    @Test func fetchesAndCounts() throws {
        try context.run { () throws in
            let request = Company.request("Employee")
            request.predicate = NSPredicate(format: "name BEGINSWITH %@", "0001")
            try expectEqual(context.fetch(request).count, 5)
            try expectEqual(context.count(for: request), 5)
            request.resultType = .managedObjectIDResultType
            request.predicate = nil
            try expectEqual(context.count(for: request), 10)
            let list = NSFetchRequest<NSDictionary>(entityName: "Desk")
            list.resultType = .dictionaryResultType
            list.propertiesToFetch = ["name"]
            try expectEqual(context.fetch(list).count, 10)
        }
        expectEqual(
            log.causes,
            [
                "fetch Employee where name BEGINSWITH \"0001\"", "count Employee where name BEGINSWITH \"0001\"",
                "count Employee", "fetch Desk",
            ]
        )
        let fetch = try #require(log.statements.first { $0.rows == 5 })
        #expect(fetch.text.hasPrefix("SELECT ") && fetch.text.contains("ZEMPLOYEE"))
        #expect(fetch.bindings.contains { $0.contains("0001") })
        expectEqual(fetch.bindingCount, fetch.bindings.count)
        #expect(fetch.duration > .zero && fetch.began < .now)
        expectEqual(fetch.store.url, company.stack.url)
        expectEqual(fetch.store.type, NSSQLiteStoreType)
        expectEqual(fetch.store.identifier, company.stack.coordinator.persistentStores[0].identifier)
        #expect(
            log.statements.allSatisfy {
                $0.context?.name == "reader" && $0.context?.transactionAuthor == "ann"
                    && $0.context?.id == ObjectIdentifier(context)
            }
        )
    }

    @Test func listsOfAPredicateAreShortened() throws {
        try context.run { () throws in
            let request = Company.request("Employee")
            request.predicate = NSPredicate(format: "number IN %@", Array(0..<50))
            #expect(try context.fetch(request).isEmpty)
            let desk = try #require(context.fetch(Company.request("Desk")).first)
            log.clear()
            request.predicate = NSPredicate(format: "desk == %@", desk)
            try expectEqual(context.fetch(request).count, 1)
            expectEqual(
                log.causes,
                [
                    "fetch Employee where desk == <Desk/p\(desk.objectID.uriRepresentation().lastPathComponent.dropFirst())>"
                ]
            )
        }
        context.reset()
    }

    @Test func aNaiveWalkShowsOneStatementForEachFault() throws {
        try context.run { () throws in
            let employees = try context.fetch(Company.request("Employee"))
            log.clear()
            for employee in employees { #expect(employee.destination("desk")?.value(forKey: "name") != nil) }
        }
        let faults = log.statements.filter {
            if case .fault(let entity, _) = $0.cause { entity == "Desk" } else { false }
        }
        expectEqual(faults.count, 10)
        expectEqual(log.faults.count, 10)
        #expect(log.faults.allSatisfy { $0.entity == "Desk" && $0.context?.name == "reader" })
        expectEqual(Set(log.faults.map(\.objectID)).count, 10)
        // Each statement is followed by the event of the fault that caused it.
        for (index, event) in log.events.enumerated() {
            guard case .faultFired(let fault) = event, index > 0,
                case .statement(let statement) = log.events[index - 1],
                case .fault(_, let objectID) = statement.cause
            else { continue }
            expectEqual(fault.objectID, objectID)
            expectEqual(statement.rows, 1)
        }
    }

    @Test func relationshipsAndPrefetching() throws {
        try context.run { () throws in
            let departments = try context.fetch(Company.request("Department"))
            log.clear()
            expectEqual(departments[0].members("staff").count, 5)
            expectEqual(log.causes, ["relationship Department/p1.staff"])
            context.reset()
            log.clear()
            let request = Company.request("Department")
            request.relationshipKeyPathsForPrefetching = ["staff.desk"]
            try expectEqual(context.fetch(request).count, 2)
            #expect(
                log.causes == [
                    "fetch Department where TRUEPREDICATE", "prefetch Department.staff", "prefetch Employee.desk",
                ]
                    || log.causes == ["fetch Department", "prefetch Department.staff", "prefetch Employee.desk"]
            )
        }
    }

    @Test func rereadObjects() throws {
        try context.run { () throws in
            let employee = try #require(context.fetch(Company.request("Employee")).first)
            employee.setValue("changed", forKey: "name")
            log.clear()
            context.refresh(employee, mergeChanges: true)
            expectEqual(log.causes, ["refresh Employee"])
            context.refresh(employee, mergeChanges: false)
            log.clear()
            expectEqual(employee.value(forKey: "name") as? String, "0000-0")
            #expect(log.causes.count == 1 && log.causes[0].hasPrefix("fault Employee/p"))
            expectEqual(log.faults.map(\.objectID), [employee.objectID])
        }
    }

    @Test func existingObjectsAndPages() throws {
        let desks = try keys("Desk")
        log.clear()
        try context.run { () throws in
            try expectEqual(context.existingObject(with: desks[0]).isFault, false)
            expectEqual(log.causes, ["fault Desk/p\(desks[0].uriRepresentation().lastPathComponent.dropFirst())"])
            expectEqual(log.faults.map(\.objectID), [desks[0]])
            log.clear()
            let request = Company.request("Employee")
            request.fetchBatchSize = 4
            let employees = try context.fetch(request)
            for employee in employees { #expect(employee.value(forKey: "name") != nil) }
        }
        // Three pages; the rows of the other objects were in memory when their faults fired.
        expectEqual(log.faults.count, 3)
        expectEqual(log.statements.count { if case .fault = $0.cause { true } else { false } }, 3)
    }

    @Test func asynchronousFetchesAndSequences() async throws {
        let request = Company.request("Employee")
        let context = context
        let result: Int = try await withCheckedThrowingContinuation { continuation in
            context.perform {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    continuation.resume(returning: result.finalResult?.count ?? 0)
                }
                do { try context.execute(asynchronous) } catch { continuation.resume(throwing: error) }
            }
        }
        expectEqual(result, 10)
        expectEqual(log.causes, ["fetch Employee"])
        #expect(log.statements.contains { $0.rows == 10 && $0.context?.name == "reader" })
        log.clear()
        var names: [String] = []
        for try await name in context.results(
            of: Company.request("Desk"),
            { $0.value(forKey: "name") as? String ?? "" }
        ) {
            names.append(name)
        }
        expectEqual(names.count, 10)
        #expect(log.causes.contains("fetch Desk"))
        #expect(log.statements.allSatisfy { $0.context?.name == "reader" })
    }

    @Test func savesWithTheirChanges() throws {
        try context.run { () throws in
            let employees = try context.fetch(Company.request("Employee"))
            let desk = try context.make("Desk", "new")
            employees[0].setValue("renamed", forKey: "name")
            employees[1].setValue(employees[1].value(forKey: "name"), forKey: "name")
            context.delete(employees[2])
            let deleted = employees[2].objectID
            log.clear()
            try context.save()
            let save = try #require(log.saves.first)
            expectEqual(log.saves.count, 1)
            expectEqual(save.context?.name, "reader")
            #expect(!save.isSavedToParent)
            expectEqual(save.inserted.map(\.objectID), [desk.objectID])
            #expect(!desk.objectID.isTemporaryID)
            #expect(save.inserted[0].properties == ["name"] && save.inserted[0].entity == "Desk")
            expectEqual(save.deleted, [deleted])
            #expect(save.duration > .zero)
            let renamed = try #require(save.updated.first { $0.objectID == employees[0].objectID })
            expectEqual(renamed.properties, ["name"])
            let cause =
                "save 1 inserted, \(save.updated.count) updated, 1 deleted"
            let statements = log.texts(cause)
            for word in ["BEGIN IMMEDIATE", "INSERT INTO ZDESK", "UPDATE ZEMPLOYEE", "DELETE FROM ZEMPLOYEE", "COMMIT"]
            {
                #expect(statements.contains { $0.hasPrefix(word) }, "\(word) is not in \(statements)")
            }
            log.clear()
            try context.save()
            #expect(log.saves.isEmpty)
        }
    }

    @Test func batchRequestsAndIdentifiers() throws {
        try context.run { () throws in
            _ = try context.execute(NSBatchInsertRequest(entityName: "Desk", objects: [["name": "a"], ["name": "b"]]))
            let update = NSBatchUpdateRequest(entityName: "Desk")
            update.propertiesToUpdate = ["number": 7]
            update.predicate = NSPredicate(format: "name == 'a'")
            _ = try context.execute(update)
            let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Desk")
            doomed.predicate = NSPredicate(format: "name == 'b'")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: doomed))
            try context.obtainPermanentIDs(for: [try context.make("Desk", "c")])
        }
        expectEqual(
            log.causes,
            [
                "batch insert Desk", "batch update Desk", "batch delete Desk", "permanent identifiers of 1 object",
            ]
        )
        #expect(log.texts("batch insert Desk").contains { $0.hasPrefix("INSERT INTO ZDESK") })
        #expect(log.texts("batch update Desk").contains { $0.hasPrefix("UPDATE ZDESK") })
        #expect(log.texts("batch delete Desk").contains { $0.hasPrefix("DELETE FROM ZDESK") })
        #expect(log.statements.allSatisfy { $0.context?.name == "reader" })
    }

    @Test func childrenCauseTheWorkOfTheirParents() throws {
        let child = context.makeChild()
        child.name = "form"
        try child.run { () throws in
            let employees = try child.fetch(Company.request("Employee"))
            expectEqual(log.causes, ["fetch Employee"])
            #expect(employees[0].destination("desk")?.value(forKey: "name") != nil)
            #expect(log.faults.count == 1 && employees[0].destination("desk")?.objectID == log.faults[0].objectID)
            expectEqual(employees[0].members("papers").count, 2)
            // The parent has kept no object, so that it reads the owner again.
            expectEqual(log.causes.last?.hasSuffix(".papers"), true, "\(log.causes)")
            #expect(log.events.allSatisfy { $0.context?.name == "form" })
            employees[0].setValue("x", forKey: "name")
            try child.save()
            #expect(log.saves.count == 1 && log.saves[0].isSavedToParent && log.saves[0].context?.name == "form")
        }
        // The parent's own work between two of its child's.
        try context.run { () throws in
            log.clear()
            try context.save()
            #expect(log.saves.count == 1 && log.saves[0].updated.first?.properties == ["name"])
            #expect(log.events.allSatisfy { $0.context?.name == "reader" })
        }
    }

    @Test func aChildThatWaitsForItsParentIsStillTheCause() throws {
        let child = context.makeChild()
        child.name = "form"
        for _ in 0..<20 {
            let began = DispatchSemaphore(value: 0)
            context.perform {
                began.signal()
                usleep(2_000)
            }
            began.wait()
            // The parent's queue is busy, so that its thread may run the work.
            try child.run { () throws in
                child.reset()
                try expectEqual(child.fetch(Company.request("Desk")).count, 10)
            }
        }
        let fetches = log.statements.filter { $0.cause.description == "fetch Desk" }
        expectEqual(fetches.count, 20)
        #expect(fetches.allSatisfy { $0.context?.name == "form" })
    }
}
