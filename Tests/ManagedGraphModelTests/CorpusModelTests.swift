import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import Testing

@Suite("Models of files as descriptions")
struct CorpusModelTests {
    @Test("Every readable model survives a round trip through descriptions, with the same hashes")
    func roundTrips() throws {
        var count = 0
        for path in Collections.files(.model) {
            guard let schema = try? ModelFile.readModel(at: path.url) else { continue }
            do {
                let model = try NSManagedObjectModel(schema)
                try model.checkConsistency()
                var back = model.graphModel()
                var expected = schema
                normalize(&back)
                normalize(&expected)
                expectNil(firstDifference(back, expected), "\(path)")
                expectEqual(model.versionChecksum, schema.versionChecksum(), "\(path)")
                let copy = try #require(model.copy() as? NSManagedObjectModel)
                expectEqual(copy.entityVersionHashesByName, schema.versionHashes(), "\(path)")
                count += 1
            } catch {
                Issue.record("\(path): \(error)")
            }
        }
        #expect(count >= Collections.least(287, fixtures: 10))
    }

    /// The first part in which two models differ, for a readable failure.
    private func firstDifference(_ back: Model, _ expected: Model) -> String? {
        guard back != expected else { return nil }
        for (actual, wanted) in zip(back.entities, expected.entities) where actual != wanted {
            for (a, b) in zip(actual.properties, wanted.properties) where a != b {
                return "\(actual.name): \(a) is not \(b)"
            }
            return "\(actual) is not \(wanted)"
        }
        for (a, b) in zip(back.fetchRequestTemplates, expected.fetchRequestTemplates) where a != b {
            return "\(a) is not \(b)"
        }
        return "\(back.configurations) \(back.versionIdentifiers) \(back.entities.count)"
            + " is not \(expected.configurations) \(expected.versionIdentifiers) \(expected.entities.count)"
    }

    /// Predicates are compared as printed, as files spell them in many ways.
    private func normalize(_ model: inout Model) {
        func print(_ format: inout String?) {
            format = format.map { NSPredicate(format: $0).printedFormat }
        }
        for index in model.fetchRequestTemplates.indices {
            print(&model.fetchRequestTemplates[index].predicateFormat)
        }
        for index in model.entities.indices {
            for place in model.entities[index].properties.indices {
                if case .fetched(var fetched) = model.entities[index].properties[place] {
                    print(&fetched.request.predicateFormat)
                    model.entities[index].properties[place] = .fetched(fetched)
                }
                if case .attribute(var attribute) = model.entities[index].properties[place] {
                    for rule in attribute.common.validations.indices {
                        var format: String? = attribute.common.validations[rule].predicateFormat
                        print(&format)
                        attribute.common.validations[rule].predicateFormat = format ?? ""
                    }
                    model.entities[index].properties[place] = .attribute(attribute)
                }
            }
            for place in model.entities[index].indexes.indices {
                print(&model.entities[index].indexes[place].partialPredicateFormat)
            }
        }
    }
}
