// The faulting policy `automatic` combined with unsaved changes, other contexts' saves, deleted rows, children,
// snapshots.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct AutomaticFaultingRules {
    private let company: Company
    private let context: NSManagedObjectContext

    init() throws {
        company = try Company(departments: 30, employees: 3)
        context = company.context(.automatic)
    }

    private func departments(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(Company.request("Department"))
    }

    /// Changes the store in another context on another thread: a save during a turn would end the turn's snapshot.
    private func elsewhere(_ change: @escaping (NSManagedObjectContext) throws -> Void) throws {
        let other = company.context(.allow)
        let change = UnsafeTransfer(change)
        let result = Mutex<Result<Void, any Error>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let outcome = Result {
                try other.performAndWait { () throws in
                    try change.value(other)
                    try other.save()
                }
            }
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        try result.withLock { try $0.get() }
    }

    @Test func unsavedChangesStay() throws {
        try context.run { () throws in
            let all = try departments(context)
            let mover = try context.find("Employee", "0020-0")
            mover.setValue("moved", forKey: "name")
            mover.relate("department", [all[25]])
            let new = try context.make("Employee", "new")
            new.relate("department", [all[26]])
            context.delete(try context.find("Employee", "0021-1"))
            context.processPendingChanges()
            let names = all.map { $0.joinedNames("staff") }
            expectEqual(names[20], "0020-10020-2")
            expectEqual(names[21], "0021-00021-2")
            expectEqual(names[25], "0025-00025-10025-2moved")
            expectEqual(names[26], "0026-00026-10026-2new")
            #expect(mover.hasChanges)
            expectEqual(mover.label, "moved")
            try context.save()
            try expectEqual(company.stack.stored("Department", "0025", "staff"), names[25])
        }
    }

    @Test(arguments: [true, false]) func savesOfOthersAreVisibleWheneverSingleReadsShowThem(_ isTurn: Bool) throws {
        func body() throws {
            let all = try departments(context)
            // From here on, the members of the other departments are prefetched.
            expectEqual(all[0].joinedNames("staff"), "0000-00000-10000-2")
            expectEqual(all[1].joinedNames("staff"), "0001-00001-10001-2")
            try elsewhere { other in
                try other.find("Employee", "0002-0").relate("department", [try other.find("Department", "0003")])
            }
            // A turn reads one snapshot; without a turn, each read sees the latest content.
            expectEqual(all[2].joinedNames("staff"), (isTurn ? "0002-00002-10002-2" : "0002-10002-2"))
            expectEqual(all[3].joinedNames("staff"), (isTurn ? "0003-00003-10003-2" : "0002-00003-00003-10003-2"))
        }
        if isTurn { try context.run(body) } else { try body() }
    }

    @Test func theNextTurnReadsAgain() throws {
        let all = try context.run { () throws in
            let all = try departments(context)
            for department in all.prefix(2) { _ = department.members("staff") }
            return all
        }
        // Bypasses the coordinator, which is not notified.
        try company.stack.execute("UPDATE ZEMPLOYEE SET ZDEPARTMENT = 4 WHERE ZNAME = '0010-0'")
        try context.run { () throws in expectEqual(all[10].joinedNames("staff"), "0010-10010-2") }
    }

    @Test func ownSavesAreSeen() throws {
        try context.run { () throws in
            let all = try departments(context)
            for department in all.prefix(2) { _ = department.members("staff") }
            try context.find("Employee", "0007-0").relate("department", [all[8]])
            try context.save()
            expectEqual(all[7].joinedNames("staff"), "0007-10007-2")
            expectEqual(all[8].joinedNames("staff"), "0007-00008-00008-10008-2")
        }
    }

    @Test func aRefreshedOwnerIsReadAgain() throws {
        try context.run { () throws in
            let all = try departments(context)
            for department in all.prefix(2) { _ = department.members("staff") }
            try elsewhere { other in other.delete(try other.find("Employee", "0005-1")) }
            context.refresh(all[5], mergeChanges: false)
            expectEqual(all[5].joinedNames("staff"), "0005-00005-2")
        }
    }

    @Test func aSaveInsideOfAWalkDoesNotReadEverythingAgainAndAgain() throws {
        try context.run { () throws in
            let before = context.statistics
            for department in try departments(context) {
                expectEqual(department.members("staff").count, 3)
                department.setValue("x" + department.label, forKey: "name")
                try context.save()
            }
            // The same number as with individual reads, plus a few prefetches.
            #expect((context.statistics - before).rowsRead < 30 + 90 + 5 * 90)
        }
    }

    @Test func rowsDeletedMeanwhileAreInaccessible() throws {
        let request = Company.request("Employee")
        request.includesPropertyValues = false
        let employees = try context.fetch(request)
        try elsewhere { other in other.delete(try other.find("Employee", "0003-0")) }
        let names = employees.map { $0.value(forKey: "name") as? String }
        expectEqual(names.filter { $0 == nil }.count, 1)
        #expect(employees[names.firstIndex(of: nil) ?? 0].isDeleted)
        expectEqual(names.compactMap(\.self).count, 89)
    }

    @Test func destinationsDeletedMeanwhileAreInaccessible() throws {
        let employees = try context.fetch(Company.request("Employee"))
        #expect(employees.allSatisfy { $0.label.count == 6 })
        try company.stack.execute("DELETE FROM ZDESK WHERE ZNAME = 'desk of 0003-0'")
        let labels = employees.map { $0.destination("desk")?.value(forKey: "name") as? String }
        expectEqual(labels.filter { $0 == nil }.count, 1)
        expectNil(labels[9])
    }

    @Test(arguments: [NSManagedObjectContext.FaultingPolicy.allow, .automatic])
    func aDeletedOwnerIsReadAsAlways(_ policy: NSManagedObjectContext.FaultingPolicy) throws {
        let context = company.context(policy)
        try context.run { () throws in
            let all = try departments(context)
            context.delete(all[4])
            context.processPendingChanges()
            expectEqual(all.map { $0.members("staff").count }.reduce(0, +), 90)
        }
    }

    @Test func aFailedReadingOfManyLeavesThoseOfOne() throws {
        let request = Company.request("Department")
        request.includesPropertyValues = false
        let all = try context.fetch(request)
        for department in all.prefix(2) { expectEqual(department.members("staff").count, 3) }
        try company.stack.execute("ALTER TABLE ZEMPLOYEE RENAME TO GONE")
        _ = all[29].members("papers")
        #expect(all[2].members("staff").count <= 3)
        try company.stack.execute("ALTER TABLE GONE RENAME TO ZEMPLOYEE")
        #expect(all.allSatisfy { $0.members("staff").count == 3 })
    }

    @Test func identifiersOfMembersMakeNoObjects() throws {
        try context.run { () throws in
            let all = try departments(context)
            for department in all { expectEqual(department.objectIDs(forRelationshipNamed: "staff").count, 3) }
            #expect(all.allSatisfy { $0.isFault })
            expectEqual(context.registeredObjects.count, 30)
            let reads = try company.reads(context) { #expect(all.allSatisfy { $0.members("staff").count == 3 }) }
            #expect(reads <= 2)
        }
    }

    @Test(arguments: [NSManagedObjectContext.FaultingPolicy.allow, .automatic])
    func aChildAsksItsParentForMany(_ parents: NSManagedObjectContext.FaultingPolicy) throws {
        let parent = company.context(parents)
        let child = parent.makeChild()
        child.faultingPolicy = .automatic
        try child.run { () throws in
            let all = try departments(child)
            var names: [String] = []
            let statements = company.stack.statements {
                for department in all {
                    names.append(department.joinedNames("staff"))
                    for employee in department.members("staff") {
                        expectEqual(employee.destination("desk")?.label, "desk of \(employee.label)")
                    }
                }
            }
            expectEqual(names, (0..<30).map { number in (0..<3).map { "\(Company.name(number))-\($0)" }.joined() })
            #expect(statements <= 30)
        }
    }

    @Test func aChildSeesItsParentsEdits() throws {
        let child = context.makeChild()
        child.faultingPolicy = .automatic
        let mover = try context.performAndWait { () throws in
            let mover = try context.find("Employee", "0020-0")
            mover.relate("department", [try context.find("Department", "0001")])
            return mover
        }
        try child.performAndWait { () throws in
            let all = try departments(child)
            expectEqual(all[0].joinedNames("staff"), "0000-00000-10000-2")
            expectEqual(all[1].joinedNames("staff"), "0001-00001-10001-20020-0")
            expectEqual(all[2].joinedNames("staff"), "0002-00002-10002-2")
            context.performAndWait { mover.relate("department", all[5..<6].map { context.object(with: $0.objectID) }) }
            expectEqual(all[5].joinedNames("staff"), "0005-00005-10005-20020-0")
            expectEqual(all[20].joinedNames("staff"), "0020-10020-2")
        }
    }

    @Test func aPinnedContextReadsItsGeneration() throws {
        try context.run { () throws in
            try context.setQueryGenerationFrom(.current)
            let all = try departments(context)
            for department in all.prefix(2) { _ = department.members("staff") }
            try elsewhere { other in other.delete(try other.find("Employee", "0005-1")) }
            expectEqual(all[5].joinedNames("staff"), "0005-00005-10005-2")
            try context.setQueryGenerationFrom(nil)
            context.refreshAllObjects()
            expectEqual(all[5].joinedNames("staff"), "0005-00005-2")
        }
    }

    @Test func objectsLeaveMemoryWithTheFetchedOnes() throws {
        weak var member: NSManagedObject?
        weak var desk: NSManagedObject?
        try context.run { () throws in
            for department in try departments(context) {
                for employee in department.members("staff") {
                    member = employee
                    desk = employee.destination("desk")
                    expectEqual(desk?.label.isEmpty, false)
                }
            }
            #expect(member != nil && desk != nil)
        }
        context.performAndWait {}
        expectNil(member)
        expectNil(desk)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func objectsThatLeadToEachOtherLeaveMemory() throws {
        weak var employee: NSManagedObject?
        weak var desk: NSManagedObject?
        try { () throws in
            var (employees, desks) = try context.run { () throws in
                let request = Company.request("Employee")
                request.fetchLimit = 10
                let employees = try context.fetch(request)
                let desks = employees.compactMap { $0.destination("desk") }
                #expect(desks.allSatisfy { $0.label.hasPrefix("desk of") })
                return (employees, desks)
            }
            // The users of the last desks leave memory; those of the first become faults of the page that contains the
            // desks.
            employees.removeLast(5)
            context.performAndWait {
                for employee in employees { context.refresh(employee, mergeChanges: false) }
                #expect(desks.reversed().allSatisfy { $0.destination("user")?.label.count == 6 })
                for _ in 0..<2 {
                    for employee in employees { context.refresh(employee, mergeChanges: false) }
                    expectEqual(employees[0].label, "0000-0")
                }
            }
            employee = employees[1]
            desk = desks[1]
            (employees, desks) = ([], [])
        }()
        context.performAndWait {}
        expectNil(employee)
        expectNil(desk)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func aParentReadsNothingAheadForAChildThatAsksOneByOne() throws {
        func cost(_ policy: NSManagedObjectContext.FaultingPolicy) throws -> NSManagedObjectContext.Statistics {
            let parent = company.context(policy)
            let child = parent.makeChild()
            child.faultingPolicy = .allow
            // A parent's prefetched values are dropped at the end of its turn, and each request of the child is a turn.
            let parentDepartments = try parent.performAndWait { () throws in try departments(parent) }
            return try child.run { () throws in
                let all = try departments(child)
                let before = parent.statistics
                for department in all { expectEqual(department.members("staff").count, 3) }
                withExtendedLifetime(parentDepartments) {}
                return parent.statistics - before
            }
        }
        try expectEqual(cost(.automatic), cost(.allow))
    }

    @Test func aContextLeavesMemory() throws {
        weak var gone: NSManagedObjectContext?
        try { () throws in
            let context = company.context(.automatic)
            gone = context
            for department in try departments(context).prefix(2) { expectEqual(department.members("staff").count, 3) }
        }()
        expectNil(gone)
    }

    @Test func storesInMemoryAreWalkedToo() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Company.model())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        try context.run { () throws in
            for number in 0..<20 {
                let department = try context.make("Department", Company.name(number))
                for employee in try context.make("Employee", names: "abc") {
                    employee.relate("department", [department])
                }
            }
            try context.save()
            context.reset()
            context.faultingPolicy = .automatic
            let reads = try company.reads(context) {
                for department in try departments(context) { expectEqual(department.joinedNames("staff"), "abc") }
            }
            #expect(reads <= 4)
        }
    }
}
