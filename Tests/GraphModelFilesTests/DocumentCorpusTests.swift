// Tests the texts of all models: kept, formatted as by Xcode, edited; and models of other forms written as text.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import Testing

@testable import GraphModelFiles

struct DocumentCorpusTests {
    private static let files = Collections.files(.model)

    @Test func everyTextStaysByteForByte() throws {
        for file in Self.files {
            let data = try file.data()
            try expectEqual(ModelDocument(contents: data, file: file.path).contents, data, "\(file)")
        }
        print("texts kept byte for byte: \(Self.files.count)")
        #expect(Self.files.count >= Collections.least(287, fixtures: 10))
    }

    /// Texts that differ from Xcode's format, with the reasons.
    private static let byHand = [
        "bazelbuild+rules_apple/examples/ios/PrenotCalculator": "a comment by hand",
        "scribd+Lucid": "written by a generator, in an order of its own",
        "infinitered+ruby-xcdm": "written by a generator, in alphabetical order",
    ]

    @Test func filesOfXcodeAreLaidOutTheSame() throws {
        var equal = 0
        var other: [String: Int] = [:]
        var unexplained: [String] = []
        for file in Self.files {
            let (path, data) = (file.description, try file.data())
            let root = ContentsElement(try ModelXMLParser.parse(data)).laidOut()
            let text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n" + root.text
            // Xcode writes no newline after the last line; version control and editors may add one.
            let original = String(decoding: data, as: UTF8.self)
            if original == text || original == text + "\n" {
                equal += 1
            } else if let reason = Self.byHand.first(where: { path.contains($0.key) })?.value {
                other[reason, default: 0] += 1
            } else {
                unexplained.append(path)
            }
        }
        print("texts laid out from their elements alone as they are: \(equal) of \(Self.files.count); others: \(other)")
        #expect(unexplained.isEmpty, "\(unexplained.joined(separator: "\n"))")
        #expect(equal >= Collections.least(282, fixtures: 10))
    }

    @Test func eachChangedPropertyChangesItsLineOnly() throws {
        var edits = 0
        for file in Collections.sample(.model, oneIn: 8) {
            let original = try ModelDocument(contents: file.data(), file: file.path)
            let before = String(decoding: original.contents, as: UTF8.self).components(separatedBy: "\n")
            for index in original.model.entities.indices {
                guard !original.model.entities[index].properties.isEmpty else { continue }
                var document = original
                var model = original.model
                model.entities[index].properties[0].common.isOptional.toggle()
                try document.update(to: model)
                let after = String(decoding: document.contents, as: UTF8.self).components(separatedBy: "\n")
                let changed = zip(before, after).filter { $0 != $1 }.count
                expectEqual(before.count, after.count, "\(file) \(model.entities[index].name)")
                expectEqual(changed, 1, "\(file) \(model.entities[index].name)")
                edits += 1
            }
        }
        print("edits of one property: \(edits)")
        #expect(edits >= Collections.least(678, fixtures: 30, oneIn: 8))
    }

    /// Writes models of every form as text, from their values alone.
    @Test func modelsOfEveryFormAreWrittenAsText() throws {
        var models: [(path: String, model: Model)] = []
        for file in Collections.sample(.model, oneIn: 6) + Collections.files(.compiledModel)
            + Collections.files(.oldModel)
        {
            models.append((file.path, try ModelFile.readModel(at: file.url)))
        }
        for cache in try CompiledArchive.caches() { models.append((cache.path, try cache.model())) }
        var different: [String] = []
        var losses: Set<String> = []
        var incomplete: [String] = []
        for (path, model) in models {
            let document = try ModelDocument(model: model, file: path)
            let lost = document.losses(of: model)
            losses.formUnion(lost.map(\.description))
            guard lost.isEmpty else {
                incomplete.append(path)
                continue
            }
            expectEqual(document.model.versionHashes(), model.versionHashes(), "\(path)")
            let read = try ModelFile.readModel(contents: document.contents, file: path)
            if comparable(read) != comparable(model) { different.append(path) }
        }
        print(
            "models written as text and read back equal: \(models.count - different.count - incomplete.count) of "
                + "\(models.count), \(incomplete.count) but for what XML cannot say: \(losses.sorted())"
        )
        // Two stores contain a model created in code.
        #expect(incomplete.allSatisfy { $0.contains("SampleModel2/Fixtures/SampleModel2_V") }, "\(incomplete)")
        #expect(losses.count <= 5)
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(models.count >= Collections.least(96, fixtures: 25) + Collections.least(287, fixtures: 0, oneIn: 6))
    }

    /// Removes details that compiled models lack: property order, names of composite types and single requests.
    private func comparable(_ model: Model) -> Model {
        var model = model
        for index in model.entities.indices {
            model.entities[index].properties = model.entities[index].properties.map { property in
                var property = property
                // A store's model was created in code, with two bounds in one rule.
                property.common.validations = property.common.validations.flatMap { rule in
                    rule.bounds.map { ValidationRule(predicateFormat: $0) }
                }
                switch property {
                case .attribute(var attribute):
                    attribute.compositeName = nil
                    return .attribute(attribute)
                case .fetched(var fetched):
                    fetched.request.name = ""
                    return .fetched(fetched)
                case .relationship: return property
                }
            }
            .sorted { $0.name < $1.name }
        }
        return model
    }
}
