// Tests the texts of all models: kept, formatted as by Xcode, edited; and models of other forms written as text.
import Foundation
import GraphModel
import Testing

@testable import GraphModelFiles

@Suite(.enabled(if: Corpus.isPresent, "The corpus (../shared/corpus) is not here; nothing to read."))
struct DocumentCorpusTests {
    private static let paths = Corpus.paths(in: "models", endingIn: ".xcdatamodel/contents")

    private static func data(_ path: String) throws -> Data {
        try Data(contentsOf: Corpus.url.appendingPathComponent(path))
    }

    @Test func everyTextStaysByteForByte() throws {
        for path in Self.paths {
            let data = try Self.data(path)
            #expect(try ModelDocument(contents: data, file: path).contents == data, "\(path)")
        }
        print("texts kept byte for byte: \(Self.paths.count) of \(Self.paths.count)")
        #expect(Self.paths.count >= 287)
    }

    /// Texts that differ from Xcode's format, with the reasons.
    private static let byHand = [
        "bazelbuild+rules_apple/examples/ios/PrenotCalculator": "a comment by hand",
        "scribd+Lucid": "written by a generator, in an order of its own",
        "infinitered+ruby-xcdm": "written by a generator, in alphabetical order",
    ]

    @Test func whatXcodeLaysOutIsLaidOutTheSame() throws {
        var equal = 0
        var other: [String: Int] = [:]
        var unexplained: [String] = []
        for path in Self.paths {
            let data = try Self.data(path)
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
        print("texts laid out from their elements alone as they are: \(equal) of \(Self.paths.count); others: \(other)")
        #expect(unexplained.isEmpty, "\(unexplained.joined(separator: "\n"))")
    }

    @Test func eachChangedPropertyChangesItsLineOnly() throws {
        var edits = 0
        for path in Self.paths {
            let original = try ModelDocument(contents: Self.data(path), file: path)
            let before = String(decoding: original.contents, as: UTF8.self).components(separatedBy: "\n")
            for index in original.model.entities.indices {
                guard !original.model.entities[index].properties.isEmpty else { continue }
                var document = original
                var model = original.model
                model.entities[index].properties[0].common.isOptional.toggle()
                try document.update(to: model)
                let after = String(decoding: document.contents, as: UTF8.self).components(separatedBy: "\n")
                let changed = zip(before, after).filter { $0 != $1 }.count
                #expect(before.count == after.count && changed == 1, "\(path) \(model.entities[index].name)")
                edits += 1
            }
        }
        print("edits of one property: \(edits)")
        #expect(edits >= 678)
    }

    /// Writes models of every form as text, from their values alone.
    @Test func modelsOfEveryFormAreWrittenAsText() throws {
        var models: [(path: String, model: Model)] = []
        for path in Self.paths + Corpus.paths(in: "compiled", endingIn: ".mom")
            + Corpus.paths(in: "legacy", endingIn: "/elements")
        {
            models.append((path, try ModelFile.readModel(at: Corpus.url.appendingPathComponent(path))))
        }
        for path in Corpus.paths(in: "derived", endingIn: ".modelcache.plist") {
            models.append((path, try ModelFile.readModel(compiled: Self.data(path), file: path)))
        }
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
            #expect(document.model.versionHashes() == model.versionHashes(), "\(path)")
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
        #expect(models.count >= 383)
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
