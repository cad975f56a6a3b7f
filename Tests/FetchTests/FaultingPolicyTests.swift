// Reports of objects read one by one.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct FaultingPolicies {
    private final class Reports: Sendable {
        let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
    }

    private let company: Company
    private let reports = Reports()

    init() throws {
        company = try Company(departments: 12, employees: 2)
    }

    private func context(_ policy: NSManagedObjectContext.FaultingPolicy) -> NSManagedObjectContext {
        let reports = reports
        return FaultReports.observing(policy, { line in reports.lines.withLock { $0.append(line) } }) {
            company.stack.otherContext()
        }
    }

    /// The place of all fetches that are reported.
    ///
    /// Resolving a line takes seconds in a program of this size; the framework does it once for each place.
    private static let place = "FaultingPolicyTests.swift:\(#line + 6)"

    @inline(never)
    private func fetch(_ request: NSFetchRequest<NSManagedObject>, _ context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        let objects = try context.fetch(request)
        return objects
    }

    @Test func aWalkIsReportedOnceWithPlaceAndCure() throws {
        let context = context(.log)
        try context.run { () throws in
            let departments = try fetch(Company.request("Department"), context)
            for department in departments { expectEqual(department.members("staff").count, 2) }
            expectEqual(
                reports.all,
                [
                    """
                    11 objects of Department fetched at \(Self.place) had their relationship staff read one by one: set \
                    relationshipKeyPathsForPrefetching = ["staff"] on the request, or faultingPolicy = .automatic.
                    """
                ]
            )
        }
    }

    @Test func tenObjectsAreNotReported() throws {
        let context = context(.log)
        try context.run { () throws in
            for department in try fetch(Company.request("Department"), context).prefix(10) {
                expectEqual(department.members("staff").count, 2)
            }
        }
        #expect(reports.all.isEmpty)
    }

    @Test func onePlaceIsReportedOnceForEachRelationship() throws {
        for _ in 0..<3 {
            let context = context(.log)
            _ = context
        }
        let context = context(.log)
        for _ in 0..<3 {
            try context.run { () throws in
                for employee in try fetch(Company.request("Employee"), context) {
                    _ = employee.destination("desk")?.label
                    _ = employee.members("papers")
                }
                context.reset()
            }
        }
        expectEqual(reports.all.count, 2)
        #expect(reports.all.contains { $0.contains("their relationship desk read") })
        #expect(reports.all.contains { $0.contains("their relationship papers read") })
    }

    @Test func aDeepWalkIsReportedWithThePath() throws {
        let context = context(.log)
        try context.run { () throws in
            for department in try fetch(Company.request("Department"), context) {
                for employee in department.members("staff") { _ = employee.destination("desk")?.label }
            }
            expectEqual(reports.all.count, 2)
            #expect(
                reports.all.contains(
                    """
                    11 objects of Employee, reached by staff from those fetched at \(Self.place), had their relationship desk \
                    read one by one: set relationshipKeyPathsForPrefetching = ["staff.desk"] on the request, or \
                    faultingPolicy = .automatic.
                    """
                )
            )
        }
    }

    @Test(
        arguments: [
            ("keys", "set includesPropertyValues = true on the request"),
            ("partial", "name the properties in propertiesToFetch, or leave it nil"),
            ("identifiers", "fetch them with one request and the predicate \"self IN %@\""),
        ]
    )
    func valuesAreReportedWithTheirCure(_ way: String, _ cure: String) throws {
        let context = context(.log)
        try context.run { () throws in
            let request = Company.request("Department")
            if way == "keys" { request.includesPropertyValues = false }
            if way == "partial" { request.propertiesToFetch = ["number"] }
            var departments = try fetch(request, context)
            if way == "identifiers" {
                let identifiers = departments.map(\.objectID)
                context.reset()
                departments = identifiers.map { context.object(with: $0) }
            }
            for department in departments { expectEqual(department.label.count, 4) }
            let report = try #require(reports.all.first)
            expectEqual(reports.all.count, 1)
            #expect(report.contains("had their values read one by one: \(cure), or faultingPolicy = .automatic."))
            #expect(report.contains("FaultingPolicyTests.swift:"))
        }
    }

    @Test func identifiersThatAreReadImmediatelyAreReportedToo() throws {
        let context = context(.log)
        try context.run { () throws in
            let identifiers = try fetch(Company.request("Department"), context).map(\.objectID)
            context.reset()
            for identifier in identifiers { #expect(context.object(with: identifier).value(forKey: "name") != nil) }
        }
        expectEqual(reports.all.count, 1)
    }

    @Test(arguments: ["fetch", "count", "save"]) func theNextThrowingCallThrowsTheReport(_ call: String) throws {
        let context = context(.throw)
        try context.run { () throws in
            for department in try fetch(Company.request("Department"), context) { _ = department.members("staff") }
            let error = try #require(throws: NSError.self) {
                switch call {
                case "fetch": _ = try context.fetch(Company.request("Desk"))
                case "count": _ = try context.count(for: Company.request("Desk"))
                default:
                    _ = try context.make("Desk", "new")
                    try context.save()
                }
            }
            expectEqual(error.code, NSCoreDataError)
            #expect(
                error.localizedDescription.hasPrefix("11 objects of Department fetched at FaultingPolicyTests.swift:")
            )
            #expect(error.localizedDescription.hasSuffix("had their relationship staff read one by one."))
            expectEqual(
                error.localizedRecoverySuggestion?.hasPrefix("Set relationshipKeyPathsForPrefetching = [\"staff\"]"),
                true
            )
            // The framework reports once; no operation has failed.
            try context.save()
            try expectEqual(context.count(for: Company.request("Desk")), (call == "save" ? 25 : 24))
        }
        expectEqual(reports.all.count, 1)
    }

    @Test(arguments: [NSManagedObjectContext.FaultingPolicy.allow, .automatic])
    func otherPoliciesReportNothing(_ policy: NSManagedObjectContext.FaultingPolicy) throws {
        let context = context(policy)
        try context.run { () throws in
            for department in try fetch(Company.request("Department"), context) { _ = department.members("staff") }
            _ = try context.fetch(Company.request("Desk"))
            try context.save()
        }
        #expect(reports.all.isEmpty)
    }

    @Test func prefetchedObjectsAndPagesAreNotReported() throws {
        let context = context(.throw)
        try context.run { () throws in
            let request = Company.request("Department")
            request.relationshipKeyPathsForPrefetching = ["staff.desk"]
            for department in try context.fetch(request) {
                for employee in department.members("staff") { #expect(employee.destination("desk")?.label != nil) }
            }
            let paged = Company.request("Project")
            paged.fetchBatchSize = 2
            for project in try context.fetch(paged) { #expect(project.label.hasPrefix("project")) }
            context.refreshAllObjects()
            for project in try context.fetch(paged) { #expect(project.label.hasPrefix("project")) }
        }
        #expect(reports.all.isEmpty)
    }

    @Test(arguments: [NSManagedObjectContext.FaultingPolicy.log, .allow])
    func aChildsWalkIsReportedOnce(_ parents: NSManagedObjectContext.FaultingPolicy) throws {
        let parent = context(parents)
        let child = parent.makeChild()
        child.faultingPolicy = .throw
        try child.run { () throws in
            let departments = try fetch(Company.request("Department"), child)
            for department in departments { expectEqual(department.members("staff").count, 2) }
            #expect(throws: NSError.self) { _ = try child.fetch(Company.request("Desk")) }
            _ = try child.fetch(Company.request("Desk"))
        }
        #expect(reports.all.count <= 1)
    }

    @Test func theParentOfAnUnconcernedChildReports() throws {
        let parent = context(.throw)
        let child = parent.makeChild()
        child.faultingPolicy = .allow
        let parentDepartments = try parent.performAndWait { () throws in
            try fetch(Company.request("Department"), parent)
        }
        try child.run { () throws in
            for department in try fetch(Company.request("Department"), child) {
                expectEqual(department.members("staff").count, 2)
            }
        }
        expectEqual(reports.all.count, 1)
        #expect(throws: NSError.self) {
            _ = try parent.performAndWait { () throws in try parent.fetch(Company.request("Desk")) }
        }
        withExtendedLifetime(parentDepartments) {}
    }

    @Test func aPolicyIsNamedByItsWordOrItsNumber() {
        typealias Policy = NSManagedObjectContext.FaultingPolicy
        expectEqual(["allow", "Log", "throw", "AUTOMATIC"].map(Policy.init(option:)), Policy.allCases)
        expectEqual(
            ["0", "1", "2", "3", "7"].map(Policy.init(option:)),
            [.allow, .log, .throw, .automatic, .automatic]
        )
        expectEqual(Policy(option: "YES"), .log)
        expectEqual(Policy(option: "nonsense"), .allow)
        expectEqual(company.stack.otherContext().faultingPolicy, .allow)
    }

    @Test(.enabled(if: Program.isBuilt)) func anArgumentSetsThePolicyOfAProgram() async throws {
        let option = "-com.apple.CoreData.FaultingPolicy"
        let plain = try await Program.run("walk")
        expectEqual(plain.status, 0)
        expectEqual(plain.output, "items: 12\n")
        #expect(plain.errors.isEmpty)
        let logged = try await Program.run("walk", arguments: [option, "log"])
        expectEqual(logged.status, 0)
        expectEqual(logged.output, "items: 12\n")
        #expect(logged.errors.contains("11 objects of Item fetched at MainQueueProgram.swift:"))
        let thrown = try await Program.run("walk", environment: ["com_apple_CoreData_FaultingPolicy": "throw"])
        #expect(thrown.output.hasPrefix("thrown: 11 objects of Item fetched at MainQueueProgram.swift:"))
        let automatic = try await Program.run("walk", arguments: [option, "automatic"])
        expectEqual(automatic.status, 0)
        expectEqual(automatic.output, "items: 12\n")
        #expect(automatic.errors.isEmpty)
    }
}
