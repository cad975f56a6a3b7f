// Predicates as they are typed: errors with their place, and completions.
import ExpectationSupport
import Foundation
import GraphBrowsing
import Testing

struct TypedPredicates {
    private func check(_ format: String, _ entity: String = "Pet") throws -> PredicateProblem? {
        try Kennel().session.check(format, entity: entity).problem
    }

    @Test(arguments: [
        ("weight >", 8, 0), ("weight > 3 AND", 14, 0), ("wieght > 3", 0, 6), ("owner.nam == \"Ada\"", 0, 9),
        ("weight > 3 ) ", 11, 1), ("name CONTAINS \"a\" AND colour == 1", 22, 6),
    ])
    func anErrorHasAPlace(format: String, place: Int, length: Int) throws {
        let problem = try check(format)
        expectEqual(problem?.place, place, "\(format): \(String(describing: problem))")
        expectEqual(problem?.length, length, "\(format): \(String(describing: problem))")
    }

    @Test func aMisspeltKeyComesWithTheNearestName() throws {
        try expectEqual(check("wieght > 3")?.remedy?.contains("weight"), true)
        try expectNil(check("weight > 3 AND owner.name BEGINSWITH[cd] \"a\""))
        try expectNil(check("  "))
    }

    private func complete(_ format: String, _ entity: String = "Pet") async throws -> [String] {
        // A bar marks the place.
        let parts = format.split(separator: "|", omittingEmptySubsequences: false)
        let session = try Kennel().session
        return try await session.complete(parts.joined(), at: parts[0].count, entity: entity).items.map(\.text)
    }

    @Test func keysCompleteThroughRelationships() async throws {
        #expect(try await complete("we|") == ["weight"])
        #expect(try await complete("owner.|").prefix(2) == ["owner.name", "owner.born"])
        #expect(try await complete("weight > 3 AND owner.na|") == ["owner.name"])
        #expect(try await complete("pets.@|", "Owner").contains("pets.@count"))
        #expect(try await complete("ANY pets.we|", "Owner") == ["pets.weight"])
        #expect(try await complete("SUBQUERY(pets, $p, $p.we|", "Owner") == ["$p.weight"])
    }

    @Test func operatorsSuitTheTypeOfTheKey() async throws {
        #expect(try await complete("name |").first == "CONTAINS[cd]")
        #expect(try await complete("weight |").contains("BETWEEN"))
        #expect(try await !complete("weight |").contains("LIKE[cd]"))
        #expect(try await complete("isTame |") == ["==", "!=", "IN"])
        #expect(try await complete("name BEG|") == ["BEGINSWITH[cd]"])
    }

    @Test func valuesComeFromTheStore() async throws {
        #expect(try await complete("name == |").prefix(2) == ["\"Ace\"", "\"Bella\""])
        #expect(try await complete("name == \"B|") == ["\"Bella\""])
        #expect(try await complete("owner.name == |").prefix(3) == ["\"Ada\"", "\"Bob\"", "\"Cleo\""])
        #expect(try await complete("isTame == |") == ["YES", "NO", "nil"])
        #expect(try await complete("born > |", "Owner").first == "now()")
        #expect(try await complete("name IN {\"Ace\", \"B|") == ["\"Bella\""])
    }

    @Test func aCompleteComparisonIsFollowedByAConnective() async throws {
        #expect(try await complete("weight > 3 |") == ["AND", "OR"])
        #expect(try await complete("(weight > 3 OR name == \"a\") A|") == ["AND"])
        #expect(try await complete("lowercase(name) |").contains("=="))
        #expect(try await complete("name CONTAINS[c|").contains("cd"))
        #expect(try await complete("NOT we|") == ["weight"])
        #expect(try await complete("@|").isEmpty)
    }
}
