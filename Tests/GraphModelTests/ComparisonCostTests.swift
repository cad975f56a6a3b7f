// The cost of comparing many versions, counted rather than timed, so that a slow machine does not affect the result.
import ExpectationSupport
import Testing

@testable import GraphModel

struct ComparisonCostTests {
    private func version(_ number: Int) -> Model {
        let names = (0...number).map { "a\($0)" }
        let attributes = names.map { Property.attribute(Attribute(common: PropertyCommon(name: $0), type: .string)) }
        return Model(entities: (0..<20).map { Entity(name: "E\($0)", properties: attributes) })
    }

    @Test func aHundredVersionsAreHashedOnceEachAndComparedOnceWithTheNext() {
        let work = ModelWork()
        ModelWork.$current.withValue(work) {
            let versions = (0..<100).map { HashedModel(version($0 / 4)) }
            for (from, to) in zip(versions, versions.dropFirst()) {
                let difference = ModelComparison.differences(from: from, to: to)
                let verdict = MigrationVerdict(from: from, to: to)
                expectEqual(difference.hasEqualHashes, !verdict.isNeeded)
                #expect(verdict.isPossible)
            }
        }
        expectEqual(work.hashings, 100)
        // Versions with equal hashes need no mapping.
        expectEqual(work.inferences, 24)
    }

    @Test func comparingTwoModelsHashesEachOnceInEachPart() {
        let work = ModelWork()
        let (old, new) = (version(1), version(2))
        ModelWork.$current.withValue(work) {
            _ = ModelComparison.differences(from: old, to: new)
            expectEqual(work.hashings, 2)
            _ = MigrationVerdict(from: old, to: new)
        }
        expectEqual(work.hashings, 4)
        expectEqual(work.inferences, 1)
    }

    @Test func aPropertyIsHashedOnceForAllSubentitiesThatInheritIt() {
        let work = ModelWork()
        let attributes = (0..<10).map {
            Property.attribute(Attribute(common: PropertyCommon(name: "a\($0)"), type: .string))
        }
        let subentities = (0..<10).map { Entity(name: "S\($0)", superentityName: "E") }
        let model = Model(entities: [Entity(name: "E", properties: attributes)] + subentities)
        let hashes = ModelWork.$current.withValue(work) { model.versionHashes() }
        expectEqual(hashes.count, 11)
        expectEqual(work.propertyHashings, 10)
    }
}
