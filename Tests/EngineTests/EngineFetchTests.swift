// Tests fetches of entities and of families, in batches and in part, and splits. Every engine passes these tests.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphPredicates
import Testing

@Suite("Engines: fetches")
struct EngineFetchTests {
    private func zoo(_ tried: TriedEngine) throws -> (animals: [Int64], dogs: [Int64], puppies: [Int64]) {
        (
            try tried.insert("Animal", [["name": .string("cat")], ["name": .string("emu")]]),
            try tried.insert("Dog", [["name": .string("Rex"), "tricks": .integer(4)]]),
            try tried.insert("Puppy", [["name": .string("Pip"), "tricks": .integer(0)]])
        )
    }

    @Test(arguments: EngineKind.allCases)
    func aFetchGivesTheFamilyOrTheEntityAlone(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let (animals, dogs, puppies) = try zoo(tried)
        func found(_ entity: String, _ includes: Bool) throws -> Set<Int64> {
            try tried.reading { session in
                let fetch = try tried.fetch(entity, includesSubentities: includes)
                let keys = Set(TriedEngine.keys(try session.rows(fetch)))
                try expectEqual(session.count(fetch), keys.count)
                try expectEqual(Set(TriedEngine.keys(session.keys(fetch))), keys)
                return keys
            }
        }
        try expectEqual(found("Animal", true), Set(animals + dogs + puppies))
        try expectEqual(found("Animal", false), Set(animals))
        try expectEqual(found("Dog", true), Set(dogs + puppies))
        try expectEqual(found("Puppy", true), Set(puppies))
        #expect(try found("Owner", true).isEmpty)
    }

    @Test(arguments: EngineKind.allCases)
    func rowsOfAFamilyNameTheirEntity(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let (_, dogs, puppies) = try zoo(tried)
        let layout = try tried.layout("Dog")
        let batch = try tried.reading { try $0.rows(try tried.fetch("Dog")) }
        let keys = try tried.reading { try $0.keys(try tried.fetch("Dog")) }
        for row in 0..<batch.count {
            let isPuppy = puppies.contains(batch.integer(TreeLayout.primaryKeyColumn, row))
            let index = tried.engine.entityIndex(number: batch.integer(TreeLayout.entityColumn, row))
            try expectEqual(index, (isPuppy ? tried.layout("Puppy") : layout).index)
            try expectEqual(tried.value("Dog", "tricks", batch, row), .integer(isPuppy ? 0 : 4))
        }
        for row in 0..<keys.count {
            let isDog = dogs.contains(keys.integer(0, row))
            try expectEqual(
                tried.engine.entityIndex(number: keys.integer(1, row)),
                (isDog ? layout : tried.layout("Puppy")).index
            )
        }
    }

    @Test(arguments: EngineKind.allCases)
    func entityNumbersLeadThereAndBack(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        for entity in tried.model.entities {
            let number = tried.engine.entityNumber(entity)
            #expect(number > 0)
            expectEqual(tried.engine.entityIndex(number: number), entity.index)
        }
        expectNil(tried.engine.entityIndex(number: 99_999))
    }

    @Test(arguments: EngineKind.allCases)
    func aLimitAndAnOffsetCutTheResult(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let keys = Set(try tried.insert("Tag", Array(repeating: [:], count: 10)))
        for (limit, offset, count) in [(0, 0, 10), (4, 0, 4), (4, 8, 2), (0, 3, 7), (5, 20, 0)] {
            let fetch = try tried.fetch("Tag", limit: limit, offset: offset)
            let matches = TriedEngine.keys(try tried.reading { try $0.rows(fetch) })
            expectEqual(matches.count, count)
            expectEqual(Set(matches).count, matches.count)
            #expect(keys.isSuperset(of: matches))
            try expectEqual(tried.reading { try $0.count(fetch) }, count)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func rowsWithoutASortComeInTheOrderOfTheirKeys(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        for entity in ["Dog", "Animal", "Puppy", "Dog", "Animal"] { try tried.insert(entity, [[:], [:]]) }
        for (limit, offset) in [(0, 0), (4, 3)] {
            let fetch = try tried.fetch("Animal", limit: limit, offset: offset)
            let rows = try tried.reading { TriedEngine.keys(try $0.rows(fetch)) }
            expectEqual(rows, rows.sorted())
            expectEqual(rows.count, (limit == 0 ? 10 : limit))
            try expectEqual(tried.reading { TriedEngine.keys(try $0.keys(fetch)) }, rows)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func portionsTogetherAreTheResult(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let keys = try tried.insert("Tag", Array(repeating: ["name": .string("x")], count: 25))
        var batchKeys: [Int64] = []
        var sizes: [Int] = []
        try tried.reading { session in
            try session.eachBatch(try tried.fetch("Tag"), size: 10) { batch in
                sizes.append(batch.count)
                batchKeys += TriedEngine.keys(batch)
                return true
            }
            expectEqual(batchKeys.sorted(), keys)
            #expect(sizes.allSatisfy { $0 <= 10 })
            batchKeys = []
            try session.eachBatch(try tried.fetch("Tag"), size: 10) { batch in
                batchKeys += TriedEngine.keys(batch)
                return false
            }
        }
        expectEqual(batchKeys.count, 10)
    }

    @Test(arguments: EngineKind.allCases)
    func someColumnsAreThoseOfWholeRows(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        _ = try zoo(tried)
        let kinds = try tried.layout("Animal").tree.kinds
        let columns = [kinds.count - 1, 0, 3]
        try tried.reading { session in
            let whole = try session.rows(try tried.fetch("Animal"))
            let part = try session.rows(try tried.fetch("Animal"), columns: columns)
            expectEqual(part.kinds, columns.map { kinds[$0] })
            expectEqual(part.count, whole.count)
            let places = Dictionary(uniqueKeysWithValues: TriedEngine.keys(whole).enumerated().map { ($1, $0) })
            for row in 0..<part.count {
                let place = try #require(places[part.integer(1, row)])
                for (column, own) in columns.enumerated() {
                    expectEqual(part.value(column, row), whole.value(own, place))
                }
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func anEngineSplitsPredicatesThatItCannotEvaluate(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        try tried.insert("Owner", (0..<9).map { ["age": .integer($0), "name": .string("n\($0 % 2)")] })
        var fetch = try tried.fetch("Owner")
        // Only objects can evaluate a block; an engine may evaluate the other parts.
        fetch.predicate = .and([
            try PredicateParser.parse(format: "age > 3", arguments: []), .block(PredicateBlock { _, _ in true }),
        ])
        fetch.sort = [SortTerm(["age"], ascending: false)]
        fetch.limit = 2
        let error = #expect(throws: TranslationError.self) { _ = try tried.reading { try $0.rows(fetch) } }
        expectEqual(error?.kind, .needsMemory)
        let split = try tried.engine.split(fetch)
        expectEqual(split.fetch.limit, 0)
        expectEqual(split.fetch.offset, 0)
        #expect(split.remainder != nil)
        let rows = try tried.reading { try $0.rows(split.fetch) }
        let ages = try (0..<rows.count).map { try tried.value("Owner", "age", rows, $0) }
        // The split fetch returns all rows that may match, in order if it claims to be sorted.
        #expect(Set(ages).isSuperset(of: (4..<9).map { .integer($0) }))
        if split.isSorted { expectEqual(ages, ages.sorted { "\($0)" > "\($1)" }) }
    }
}
