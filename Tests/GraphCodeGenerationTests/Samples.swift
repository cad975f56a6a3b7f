// A model in code with sources, for tests of generated code.
import Foundation
import GraphCodeGeneration
import GraphModel
import GraphModelFiles
import ModelSupport

enum Samples {
    static func attribute(_ name: String, _ type: AttributeType, scalar: Bool = false, custom: String? = nil)
        -> Property
    {
        .attribute(
            Attribute(common: PropertyCommon(name: name), type: type, usesScalarValue: scalar, customClassName: custom)
        )
    }

    static func input(_ model: Model, name: String = "Library") -> TargetGenerator.ModelInput {
        let version = VersionedModel.Version(
            name: name,
            model: model,
            url: URL(fileURLWithPath: "/\(name).xcdatamodel")
        )
        return TargetGenerator.ModelInput(
            model: VersionedModel(name: name, versions: [version], currentName: name),
            file: "\(name).xcdatamodeld",
            contents: [name: "<model \"quoted\"\\\n\ttext=\"é\"/>\n"]
        )
    }

    static func generate(
        _ entities: [Entity],
        _ source: String = "",
        file: String = "Source.swift",
        dependencies: [TargetGenerator.Dependency] = []
    ) -> GeneratedTarget {
        TargetGenerator(
            module: "Shelf",
            models: [input(Model(entities: entities))],
            sources: [.init(path: file, text: source)],
            dependencies: dependencies
        )
        .generate()
    }

    /// One entity for each kind of code generation.
    static let entities = [
        Entity(
            name: "Author",
            className: "Author",
            codeGeneration: .classDefinition,
            properties: [
                attribute("name", .string), attribute("rank", .integer16, scalar: true), attribute("id", .uuid),
                attribute("class", .string), attribute("default", .string), attribute("score", .integer64),
                attribute("tags", .transformable, custom: "[String]"),
                .toMany("books", "Book"),
                .toMany("shelf", "Book", isOrdered: true),
                .fetched(
                    FetchedProperty(
                        common: PropertyCommon(name: "others"),
                        request: FetchRequestTemplate(name: "", entityName: "Author")
                    )
                ),
            ]
        ),
        Entity(
            name: "Poet",
            className: "Shelf.Poet",
            codeGeneration: .classDefinition,
            superentityName: "Author",
            properties: [attribute("metre", .string)]
        ),
        Entity(
            name: "Book",
            className: ".Book",
            codeGeneration: .category,
            properties: [
                attribute("pages", .integer32, scalar: true), .toOne("author", "Author"),
                .toMany("loans", "Loan"),
            ]
        ),
        Entity(
            name: "Loan",
            className: "Loan",
            properties: [
                attribute("dueDate", .date), attribute("isOverdue", .boolean, scalar: true), attribute("note", .string),
                attribute("state", .integer16, scalar: true), .toOne("book", "Book"),
                .toMany("parts", "Loan"), attribute("shade", .integer16),
            ]
        ),
        Entity(name: "Plain", properties: [attribute("text", .string)]),
    ]

    static let source = """
        import Foundation
        import ManagedGraph
        import Paint

        public class Loan: NSManagedObject {
            @NSManaged public var dueDate: Date?
            @NSManaged private var primitiveDueDate: Date?
            @NSManaged public private(set) var note: String?
            @NSManaged var state: Int16
            @NSManaged public var book: Book?
            @NSManaged public var parts: Set<Loan>
            @NSManaged var shade: Shade?
            @NSManaged public func addToParts(_ value: Loan)
            @NSManaged public func addToParts(_ values: NSSet)
            @NSManaged fileprivate func setPrimitiveNote(_ value: String?)
            #if NEVER
            @NSManaged var never: Missing?
            #endif
            #if canImport(ObjectiveC)
            @objc
            #endif
            public dynamic var isMarked = true
            public var isOverdue: Bool { (dueDate ?? .distantFuture) < Date() }
            public func setUp() {
                primitiveDueDate = Date(timeIntervalSinceReferenceDate: 0)
                setPrimitiveNote("a")
                note?.append("b")
            }
            func validateDueDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
                guard let date = value.pointee as? Date else { return }
                if date == Date(timeIntervalSinceReferenceDate: 0) { throw NSError(domain: "Shelf", code: 1001) }
                value.pointee = Date(timeIntervalSinceReferenceDate: 5) as AnyObject
            }
            func validateNote(_ value: String?) throws { if value == "bad" { throw NSError(domain: "Shelf", code: 1002) } }
            func validateState(_ value: inout Any?) throws { value = Int16(7) }
            enum Tone: Int16 { case low }
            func validateShade(_ value: Tone) throws {}
            func validateIsOverdue(_ value: inout Bool) { value = !value }
            func validateBook(_ done: @escaping (Book?) -> Void) {}
            func validateParts(_ value: some Sequence) {}
        }
        public final class Book: NSManagedObject {
            class Page: NSManagedObject {
                @NSManaged var number: Int32
                @NSManaged var next: Page?
                @NSManaged var kind: Kind
                @NSManaged var marks: [String: Kind]?
                @NSManaged var places: Dictionary<String, [Kind]>?
                @NSManaged var notes: Set<Note>
                @NSManaged func addToNotes(_ note: Note)
            }
            class Note: NSManagedObject {}
            enum Kind: Int16 { case front, plain }
            var isLong: Bool { pages > 100 }
        }
        // Names of the framework's own types.
        enum ManagedProperty {}
        enum ManagedKeyPath {}
        enum ModuleRegistration {}
        enum ManagedObjectRegistry {}
        extension Author { public var upper: String { name?.uppercased() ?? "" } }
        """

    static let paint = TargetGenerator.Dependency(
        module: "Paint",
        sources: [.init(path: "Paint.swift", text: "public enum Shade: Int16, Sendable { case light, dark }\n")]
    )
}
