// The generator warns about fetch requests of a model that do not fit their entities, as Apple's compiler accepts them,
// and fails for predicates that cannot be parsed.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphCodeGeneration
import GraphModel
import GraphModelFiles
import GraphSQL
import ModelSupport
import Testing

@Suite("Fetch requests of models")
struct BrokenRequestTests {
    private static let book = Entity(
        name: "Book",
        properties: [
            Samples.attribute("title", .string), Samples.attribute("pages", .integer32),
            Samples.attribute("published", .date), Property.toOne("author", "Author"),
        ]
    )
    private static func author(_ fetched: FetchRequestTemplate? = nil) -> Entity {
        let all = [Samples.attribute("name", .string), Property.toMany("books", "Book")]
        let property = fetched.map {
            [Property.fetched(FetchedProperty(common: PropertyCommon(name: "novels"), request: $0))]
        }
        return Entity(name: "Author", properties: all + (property ?? []))
    }

    private func messages(
        _ template: FetchRequestTemplate? = nil,
        fetched: FetchRequestTemplate? = nil,
        source: String = ""
    ) -> [String] {
        let model = Model(
            entities: [Self.book, Self.author(fetched)],
            fetchRequestTemplates: template.map { [$0] } ?? []
        )
        let target = TargetGenerator(
            module: "Shelf",
            models: [Samples.input(model)],
            sources: [.init(path: "Source.swift", text: source)]
        )
        return target.generate().messages.map(\.description)
    }

    private func request(_ entity: String, _ format: String?, sort: [String] = []) -> FetchRequestTemplate {
        FetchRequestTemplate(
            name: "Wanted",
            entityName: entity,
            predicateFormat: format,
            sortKeys: sort.map { SortKey(key: $0, ascending: true) }
        )
    }

    @Test(
        "A template with a name that its entity lacks is a warning with file, entity, request and nearest name",
        arguments: [
            ("titel == $TITLE", ["\"titel\"", "\"title\""]),
            ("author.nmae == $NAME", ["author.nmae", "Author", "\"name\""]),
            ("title == pages", ["title == pages", "number"]), ("published > 'x'", ["published", "date"]),
            ("pages BEGINSWITH $X", ["pages", "not a string"]),
            ("ANY author.books.titel == $X", ["titel", "\"title\""]), ("author.books.title == $X", ["ANY"]),
        ]
    )
    func templates(_ format: String, _ names: [String]) throws {
        let messages = messages(request("Book", format))
        expectEqual(messages.count, 1, "\(messages)")
        let text = try #require(messages.first)
        #expect(text.hasPrefix("Library.xcdatamodeld: warning: entity Book, fetch request Wanted: "), "\(text)")
        for name in names { #expect(text.contains(name), "\(text)") }
    }

    @Test("A template whose predicate cannot be parsed fails the build")
    func unreadable() throws {
        let text = try #require(messages(request("Book", "title ==")).first)
        #expect(text.hasPrefix("Library.xcdatamodeld: error: entity Book, fetch request Wanted: "), "\(text)")
        #expect(text.contains("cannot be read") && text.contains("title =="), "\(text)")
    }

    @Test("A flaw that Apple's compiler accepts is a warning with file, entity and property; a note is not reported")
    func flaws() {
        var input = Samples.input(Model(entities: [Self.book, Self.author()]))
        input.model.versions[0].findings = [
            ModelProblem(.invalidValue, entity: "Book", property: "pages", reason: "its default value is none."),
            ModelProblem(.invalidValue, level: .note, entity: "Book", property: "title", reason: "it is odd."),
        ]
        let result = TargetGenerator(module: "Shelf", models: [input], sources: []).generate()
        expectEqual(
            result.messages.map(\.description),
            ["Library.xcdatamodeld: warning: entity Book, property pages: its default value is none."]
        )
        #expect(!result.hasErrors)
    }

    @Test("An unknown sort key is a warning too, also in a fetched property, whose source has its own entity's keys")
    func others() throws {
        expectEqual(messages(request("Book", nil, sort: ["titles"])).first?.contains("\"title\""), true)
        let fetched = messages(fetched: request("Book", "author == $FETCH_SOURCE AND title == $FETCH_SOURCE.nam"))
        expectEqual(fetched.count, 1)
        expectEqual(
            fetched.first?.hasPrefix("Library.xcdatamodeld: warning: entity Author, fetched property novels: "),
            true,
            "\(fetched)"
        )
        expectEqual(fetched.first?.contains("\"name\""), true)
    }

    @Test("Valid requests pass: variables, nil, fetched properties, computed properties of the sources")
    func sound() {
        let sound = [
            "title == $TITLE AND pages > $PAGES", "author == $AUTHOR", "title == nil", "author.name IN $NAMES",
            "ANY author.books.pages BETWEEN $RANGE", "TRUEPREDICATE", "title CONTAINS[cd] $X OR NOT pages == 3",
            "true == true", "SUBQUERY(author.books, $b, $b.pages > $MIN).@count > 0",
        ]
        for format in sound { #expect(messages(request("Book", format)).isEmpty, "\(format)") }
        #expect(messages(request("Book", "title == 'a'", sort: ["author.name", "pages"])).isEmpty)
        let fetched = request("Book", "author == $FETCH_SOURCE AND author.name == $FETCH_SOURCE.name")
        #expect(messages(fetched: fetched).isEmpty)
        #expect(messages(fetched: request("Book", "title == $FETCHED_PROPERTY.userInfo.title")).isEmpty)
        let source = "class Book: NSManagedObject { var isLong: Bool { true } }"
        #expect(messages(request("Book", "isLong == YES"), source: source).isEmpty)
    }

    /// Collected models with invalid requests, and the errors: none at present.
    private static let broken: [String: String] = [:]

    @Test("The requests of collected models pass, except the broken ones")
    func collected() throws {
        var requests = 0
        var models = 0
        for file in Collections.files(.model) {
            let path = file.path
            guard let model = try? ModelFile.readModel(at: file.url) else { continue }
            models += 1
            requests += model.fetchRequestTemplates.count + model.entities.flatMap(\.fetchedProperties).count
            for problem in FetchChecker.brokenRequests(of: model) {
                let listed = Self.broken.first { path.hasSuffix($0.key) && problem.description.contains($0.value) }
                #expect(listed != nil, "\(path): \(problem)")
            }
        }
        #expect(models >= Collections.least(287, fixtures: 10))
        #expect(requests >= Collections.least(1, fixtures: 3))
        print("\(requests) requests in \(models) models")
    }
}
