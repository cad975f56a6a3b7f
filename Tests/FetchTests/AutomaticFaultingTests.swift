// The faulting policy `automatic`: it bounds the cost of naive walks without changing their results.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct AutomaticFaulting {
    /// Departments and all objects reachable from them, as text.
    private func walk(_ departments: [NSManagedObject]) -> [String] {
        departments.flatMap { department in
            department.members("staff").map(\.label).sorted().map { "\(department.label): \($0)" }
        }
    }

    @Test func aWalkOfOneToManyTakesABoundedNumberOfStatements() throws {
        let company = try Company(departments: 100, employees: 10)
        let plain = company.context(.allow)
        let expected = try plain.run { () throws in walk(try plain.fetch(Company.request("Department"))) }
        expectEqual(expected.count, 1000)
        let context = company.context(.automatic)
        var names: [String] = []
        var statements = 0
        try context.run { () throws in
            statements = try company.stack.statements {
                names = walk(try context.fetch(Company.request("Department")))
            }
        }
        expectEqual(names, expected)
        // BEGIN, the fetch, one department's members and their rows, all other members and their rows.
        expectEqual(statements, 5)
    }

    @Test func theSameHoldsWithoutATurn() throws {
        let company = try Company(departments: 50, employees: 4)
        let context = company.context(.automatic)
        var names: [String] = []
        let reads = try company.reads(context) { names = walk(try context.fetch(Company.request("Department"))) }
        expectEqual(names.count, 200)
        expectEqual(reads, 4)
    }

    @Test(arguments: ["forward", "backward", "shuffled", "some"])
    func theOrderOfTheWalkDoesNotMatter(_ order: String) throws {
        let company = try Company(departments: 60, employees: 3)
        let context = company.context(.automatic)
        try context.run { () throws in
            var departments = try context.fetch(Company.request("Department"))
            switch order {
            case "backward": departments.reverse()
            case "shuffled": departments.shuffle()
            case "some": departments.removeAll { $0.label.hasSuffix("3") }
            default: break
            }
            let reads = try company.reads(context) {
                for department in departments {
                    #expect(department.members("staff").allSatisfy { $0.label.hasPrefix(department.label) })
                    expectEqual(department.members("staff").count, 3)
                }
            }
            #expect(reads <= 3)
        }
    }

    @Test func aWalkOfAToOneReadsDestinationsTogether() throws {
        let company = try Company(departments: 20, employees: 10)
        let context = company.context(.automatic)
        try context.run { () throws in
            let employees = try context.fetch(Company.request("Employee"))
            let reads = try company.reads(context) {
                for employee in employees {
                    expectEqual(employee.destination("desk")?.label, "desk of \(employee.label)")
                }
            }
            expectEqual(reads, 2)
            let more = try company.reads(context) {
                for employee in employees {
                    expectEqual(employee.destination("department")?.label, String(employee.label.prefix(4)))
                }
            }
            expectEqual(more, 2)
        }
    }

    @Test func destinationsThatAreCollectedFirstAreReadTogetherToo() throws {
        let company = try Company(departments: 3, employees: 10)
        let context = company.context(.automatic)
        try context.run { () throws in
            let desks = try context.fetch(Company.request("Employee")).compactMap { $0.destination("desk") }
            let reads = try company.reads(context) {
                for desk in desks.reversed() { #expect(desk.label.hasPrefix("desk of")) }
            }
            expectEqual(reads, 2)
        }
    }

    @Test func orderedAndManyToManyRelationshipsKeepTheirMembers() throws {
        let company = try Company(departments: 10, employees: 10)
        let plain = company.context(.allow)
        func text(_ context: NSManagedObjectContext) throws -> [String] {
            try context.fetch(Company.request("Employee")).map {
                "\($0.joinedNames("papers")) \($0.joinedNames("projects"))"
            }
        }
        let expected = try plain.run { () throws in try text(plain) }
        let context = company.context(.automatic)
        try context.run { () throws in
            var lines: [String] = []
            let reads = try company.reads(context) { lines = try text(context) }
            expectEqual(lines, expected)
            expectEqual(lines.first?.hasPrefix("b0a0"), true)
            // The fetch, and for each relationship: one object's members and their rows, then all others.
            #expect(reads <= 1 + 3 + 3)
        }
    }

    @Test func aDeepWalkCostsAStatementOrThreeForEachRelationship() throws {
        let company = try Company(departments: 30, employees: 5)
        let context = company.context(.automatic)
        try context.run { () throws in
            var count = 0
            let reads = try company.reads(context) {
                for department in try context.fetch(Company.request("Department")) {
                    for employee in department.members("staff") {
                        expectEqual(employee.destination("desk")?.label, "desk of \(employee.label)")
                        for project in employee.members("projects") where project.label.hasPrefix("project") {
                            count += 1
                        }
                        for paper in employee.members("papers") where paper.destination("owner") === employee {
                            count += 1
                        }
                    }
                }
            }
            #expect(count > 450)
            #expect(reads <= 16)
        }
    }

    @Test func aBatchedFetchCostsOneStatementForEachBatchAndRelationship() throws {
        let company = try Company(departments: 60, employees: 2)
        let context = company.context(.automatic)
        try context.run { () throws in
            let request = Company.request("Department")
            request.fetchBatchSize = 20
            var names: [String] = []
            let reads = try company.reads(context) { names = walk(try context.fetch(request)) }
            expectEqual(names.count, 120)
            // Keys; three batches of rows; one object's members, their rows, then the other members of each of three
            // batches.
            expectEqual(reads, 1 + 3 + 2 + 3)
        }
    }

    @Test(arguments: ["keys", "partial", "identifiers", "refreshed"])
    func valuesAreReadTogether(_ way: String) throws {
        let company = try Company(departments: 40, employees: 0)
        let context = company.context(.automatic)
        try context.run { () throws in
            let request = Company.request("Department")
            switch way {
            case "keys": request.includesPropertyValues = false
            case "partial": request.propertiesToFetch = ["number"]
            default: break
            }
            var departments: [NSManagedObject]
            if way == "identifiers" {
                let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Department")
                identifiers.resultType = .managedObjectIDResultType
                identifiers.sortDescriptors = request.sortDescriptors
                departments = try context.fetch(identifiers).map { context.object(with: $0) }
            } else {
                departments = try context.fetch(request)
            }
            if way == "refreshed" {
                for department in departments {
                    _ = department.label
                    context.refresh(department, mergeChanges: false)
                }
            }
            #expect(departments.allSatisfy { $0.isFault })
            let reads = try company.reads(context) {
                expectEqual(departments.map(\.label), (0..<40).map(Company.name))
            }
            expectEqual(reads, 2)
        }
    }

    @Test func manyObjectsAreReadInPortions() throws {
        let company = try Company(departments: 1200, employees: 1)
        let context = company.context(.automatic)
        try context.run { () throws in
            let departments = try context.fetch(Company.request("Department"))
            let before = context.statistics
            for department in departments.prefix(3) { expectEqual(department.members("staff").count, 1) }
            #expect((context.statistics - before).rowsRead <= 502)
            let reads = try company.reads(context) { expectEqual(walk(departments).count, 1200) }
            #expect(reads <= 3)
        }
    }

    @Test func aPolicySetAfterTheFetchServesToo() throws {
        let company = try Company(departments: 30, employees: 2)
        let context = company.context(.allow)
        try context.run { () throws in
            let departments = try context.fetch(Company.request("Department"))
            context.faultingPolicy = .automatic
            let reads = try company.reads(context) { expectEqual(walk(departments).count, 60) }
            expectEqual(reads, 3)
        }
    }

    @Test func prefetchedObjectsAreSiblings() throws {
        let company = try Company(departments: 10, employees: 3)
        let context = company.context(.automatic)
        try context.run { () throws in
            let request = Company.request("Department")
            request.relationshipKeyPathsForPrefetching = ["staff"]
            let employees = try context.fetch(request).flatMap { $0.members("staff") }
            let reads = try company.reads(context) {
                for employee in employees { expectEqual(employee.members("papers").count, 2) }
            }
            #expect(reads <= 3)
        }
    }
}
