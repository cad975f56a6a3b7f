// SortDescriptor and key paths in sort descriptors: their keys, their order, and the error for unregistered key paths.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct SwiftSortTests {
    private func fetch(_ sorts: [NSSortDescriptor], _ plans: SwiftPredicateTests.Plans) throws -> [Plan] {
        let request = NSFetchRequest<Plan>(entityName: "Plan")
        request.sortDescriptors = sorts
        return try plans.context.fetch(request)
    }

    @Test("A fetch sorts as SortDescriptor sorts in memory")
    func orders() throws {
        let plans = try SwiftPredicateTests.Plans()
        try plans.context.performAndWait { () throws in
            // SQLite compares the bytes of texts, Swift those of their composed form.
            for plan in try plans.context.fetch(NSFetchRequest<Plan>(entityName: "Plan")) {
                plan.title = plan.title.precomposedStringWithCanonicalMapping
                plan.note = plan.note?.precomposedStringWithCanonicalMapping
                // A scalar without a value in the store reads as zero, but sorts before all numbers.
                plan.rank = Int64(plan.rank)
                plan.weight = Double(plan.weight)
            }
            for place in try plans.context.fetch(NSFetchRequest<Place>(entityName: "Place")) {
                place.name = place.name?.precomposedStringWithCanonicalMapping
                place.floor = Int64(place.floor)
            }
            try plans.context.save()
            let sorts: [[SortDescriptor<Plan>]] = [
                [SortDescriptor(\Plan.title), SortDescriptor(\Plan.rank)],
                [SortDescriptor(\Plan.title, order: .reverse), SortDescriptor(\Plan.weight, order: .reverse)],
                [SortDescriptor(\Plan.title, comparator: .lexical)],
                [SortDescriptor(\Plan.note, comparator: .lexical, order: .reverse), SortDescriptor(\Plan.title)],
                [SortDescriptor(\Plan.due), SortDescriptor(\Plan.rank, order: .reverse)],
                [SortDescriptor(\Plan.place?.name), SortDescriptor(\Plan.title)],
                [SortDescriptor(\Plan.place?.within?.floor, order: .reverse), SortDescriptor(\Plan.title)],
            ]
            for sort in sorts {
                let descriptors = sort.map(NSSortDescriptor.init)
                #expect(descriptors.allSatisfy { $0.key != nil })
                let sortedPlans = try fetch(descriptors, plans)
                let isInOrder = zip(sortedPlans, sortedPlans.dropFirst()).allSatisfy { left, right in
                    for descriptor in sort {
                        switch descriptor.compare(left, right) {
                        case .orderedAscending: return true
                        case .orderedDescending: return false
                        case .orderedSame: continue
                        }
                    }
                    return true
                }
                #expect(isInOrder, "\(descriptors)")
            }
        }
    }

    @Test("Generic code over protocols of objects converts a descriptor")
    func genericCode() {
        func converted<Object: NSFetchRequestResult>(_ descriptor: SortDescriptor<Object>) -> NSSortDescriptor {
            NSSortDescriptor(descriptor)
        }
        let descriptor = converted(SortDescriptor(\Plan.title, order: .reverse))
        expectEqual(descriptor.key, "title")
        #expect(!descriptor.ascending)
    }

    @Test("Key paths through objects get a key for each step, including ? and !")
    func names() {
        expectEqual(NSSortDescriptor(SortDescriptor(\Plan.title)).key, "title")
        expectEqual(NSSortDescriptor(SortDescriptor(\Plan.place?.name)).key, "place.name")
        expectEqual(NSSortDescriptor(SortDescriptor(\Plan.place!.floor)).key, "place.floor")
        expectEqual(NSSortDescriptor(SortDescriptor(\Plan.place?.within?.within?.name)).key, "place.within.within.name")
        expectEqual(NSSortDescriptor(SortDescriptor(\LongPlan.title)).key, "title")
        expectEqual(NSSortDescriptor(keyPath: \Plan.place?.within?.floor, ascending: false).key, "place.within.floor")
        expectNil(Plan.managedKey(for: \Plan.shout))
        expectEqual(Plan.managedKey(for: \Plan.place?.within?.name), "place.within.name")
        expectEqual(NSExpression(forKeyPath: \Plan.place?.name).keyPath, "place.name")
        // Read by libraries that convert key paths to predicates.
        expectEqual((\Plan.place?.name)._kvcKeyPathString, "place.name")
        expectNil((\Plan.shout)._kvcKeyPathString)
        expectEqual((\Plan.self)._kvcKeyPathString, "self")
        expectEqual((\Double.self)._kvcKeyPathString, "self")
    }

    @Test("An unregistered key path sorts in memory; a fetch reports it as an error")
    func unnamed() throws {
        let plans = try SwiftPredicateTests.Plans()
        try plans.context.performAndWait { () throws in
            let sort = NSSortDescriptor(SortDescriptor(\Plan.shout, order: .reverse))
            let all = try plans.context.fetch(NSFetchRequest<Plan>(entityName: "Plan"))
            let sorted = all.sorted(using: [sort])
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.shout >= $1.shout })
            do {
                _ = try fetch([sort], plans)
                Issue.record("an unregistered key path was used for sorting")
            } catch {
                let message = "\(error.localizedDescription) \((error as NSError).localizedRecoverySuggestion ?? "")"
                #expect(message.contains("Plan") && message.contains("managedKeyPaths()"), "\(message)")
            }
        }
    }
}
