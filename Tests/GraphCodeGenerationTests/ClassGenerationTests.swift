// Tests the text generated from a model.
import ExpectationSupport
import GraphCodeGeneration
import GraphModel
import ModelSupport
import Testing

@Suite("Generated classes")
struct ClassGenerationTests {
    private func objects(_ entities: [Entity], _ source: String = "") -> String {
        Samples.generate(entities, source).files["ManagedObjects.swift"] ?? ""
    }

    private func entity(
        _ name: String,
        _ properties: [Property] = [],
        className: String? = nil,
        parent: String? = nil
    ) -> Entity {
        Entity(
            name: name,
            className: className ?? name,
            codeGeneration: .classDefinition,
            superentityName: parent,
            properties: properties
        )
    }

    @Test(
        "A property has the same type as in Xcode's code",
        arguments: [
            (Samples.attribute("x", .integer16, scalar: true), "Int16"),
            (Samples.attribute("x", .integer32, scalar: true), "Int32"),
            (Samples.attribute("x", .integer64, scalar: true), "Int64"),
            (Samples.attribute("x", .double, scalar: true), "Double"),
            (Samples.attribute("x", .float, scalar: true), "Float"),
            (Samples.attribute("x", .boolean, scalar: true), "Bool"),
            (Samples.attribute("x", .date, scalar: true), "TimeInterval"),
            (Samples.attribute("x", .integer16), "NSNumber?"), (Samples.attribute("x", .boolean), "NSNumber?"),
            (Samples.attribute("x", .date), "Date?"), (Samples.attribute("x", .decimal), "NSDecimalNumber?"),
            (Samples.attribute("x", .decimal, scalar: true), "NSDecimalNumber?"),
            (Samples.attribute("x", .string), "String?"), (Samples.attribute("x", .binary), "Data?"),
            (Samples.attribute("x", .uuid), "UUID?"), (Samples.attribute("x", .uri), "URL?"),
            (Samples.attribute("x", .transformable), "NSObject?"),
            (Samples.attribute("x", .transformable, custom: "[String]"), "[String]?"),
            (Samples.attribute("x", .transformable, custom: "Paint.Color"), "Paint.Color?"),
            (Samples.attribute("x", .transformable, custom: ".Color"), "Color?"),
            (Samples.attribute("x", .transformable, custom: "Paint."), "NSObject?"),
            (Samples.attribute("x", .transformable, custom: "."), "NSObject?"),
            (Samples.attribute("x", .objectID), "NSManagedObjectID?"),
            (Property.toOne("x", "Thing"), "Thing?"),
            (Property.toMany("x", "Thing"), "NSSet?"),
            (Property.toMany("x", "Thing", isOrdered: true), "NSOrderedSet?"),
            (Property.toOne("x", "Plain"), "NSManagedObject?"),
        ]
    )
    func types(property: Property, type: String) {
        let text = objects([entity("Thing", [property]), Entity(name: "Plain")])
        #expect(text.contains("    public var x: \(type) {\n"))
    }

    @Test(
        "An attribute whose type managed objects have, too, is not read as a relationship",
        arguments: [
            (nil, true), ("NSObject", true), ("Foundation.NSObject", true), ("Any", true), ("AnyHashable?", true),
            ("[String]", false), ("NSDictionary", false),
        ] as [(String?, Bool)]
    )
    func widerTypes(custom: String?, isWider: Bool) {
        let text = objects([entity("Thing", [Samples.attribute("x", .transformable, custom: custom)])])
        #expect(text.contains("get { \(isWider ? "managedAnyValue" : "managedValue")(for: "))
    }

    @Test("A class whose superclass is of another package gets its properties, and is registered")
    func superclassOfAnotherPackage() {
        let task = Entity(
            name: "Task",
            className: "Task",
            codeGeneration: .category,
            properties: [Samples.attribute("text", .string)]
        )
        let result = Samples.generate([task], "import Records\nclass Task: Record {}")
        #expect(result.messages.isEmpty, "\(result.messages)")
        let text = result.files["ManagedObjects.swift"] ?? ""
        #expect(text.contains("nonisolated extension Task {") && text.contains("var text: String? {"), "\(text)")
        #expect(result.files["ManagedObjectRegistration.swift"]?.contains("type: Task.self") == true)
        #expect(Samples.generate([task], "class Other: Record {}").hasErrors)
    }

    @Test("A class is written once, with its request, its accessors and its conformance")
    func wholeClass() {
        let text = objects([entity("Task", [Samples.attribute("text", .string)])])
        let expected = """

            /// A managed object of the entity `Task`.
            nonisolated public class Task: NSManagedObject, Identifiable {
                /// A request that fetches objects of the entity `Task`.
                @nonobjc public class func fetchRequest() -> NSFetchRequest<Task> {
                    NSFetchRequest<Task>(entityName: "Task")
                }

                /// The attribute `text` of the model.
                public var text: String? {
                    get { managedValue(for: ManagedObjectProperties.Task_text) }
                    set { setManagedValue(newValue, for: ManagedObjectProperties.Task_text) }
                }
            }

            """
        #expect(text.hasSuffix(expected))
    }

    @Test("Two entities with one class produce one class with the properties of both")
    func sharedClass() {
        let text = objects([
            entity("A", [Samples.attribute("one", .string)], className: "Shared"),
            entity("B", [Samples.attribute("two", .string)], className: "Shared"),
        ])
        expectEqual(text.components(separatedBy: "class Shared").count, 2)
        #expect(text.contains("var one: String?") && text.contains("var two: String?"))
    }

    @Test("Entities of one name in two models have the classes that each model names")
    func entitiesOfTwoModels() {
        let models = ["", "2"].map { version in
            Model(entities: [
                entity("Base", className: "Base\(version)"),
                entity("Item", [.toOne("other", "Item")], className: "Item\(version)", parent: "Base"),
            ])
        }
        let target = TargetGenerator(
            module: "Shelf",
            models: [Samples.input(models[0]), Samples.input(models[1], name: "Library2")],
            sources: []
        )
        let text = target.generate().files["ManagedObjects.swift"] ?? ""
        for version in ["", "2"] {
            #expect(text.contains("class Item\(version): Base\(version) {"))
            #expect(text.contains("var other: Item\(version)? {"))
        }
    }

    @Test("A class name may have a dot, a module or be mangled, and need not be the entity's name")
    func classNames() {
        for name in ["Thing", ".Thing", "Shelf.Thing", "_TtC5Shelf5Thing"] {
            let text = objects([entity("Task", className: name)])
            #expect(text.contains("public class Thing: NSManagedObject, Identifiable {"), "\(name)")
            #expect(text.contains("NSFetchRequest<Thing>(entityName: \"Task\")"), "\(name)")
        }
    }

    @Test("A subentity's class derives from its superentity's and does not repeat its conformance")
    func inheritance() {
        let text = objects([entity("Author"), entity("Poet", parent: "Author")])
        #expect(text.contains("public class Poet: Author {"))
    }

    @Test("Keywords have backticks, and names that every object has are omitted with a warning")
    func names() {
        let properties = ["default", "repeat", "self_", "description", "hash"].map { Samples.attribute($0, .string) }
        let result = Samples.generate([entity("Task", properties)])
        let text = result.files["ManagedObjects.swift"] ?? ""
        #expect(text.contains("var `default`: String?") && text.contains("var `repeat`: String?"))
        #expect(!text.contains("var description") && !text.contains("var hash"))
        expectEqual(result.messages.map(\.severity), [.warning, .warning])
        #expect(result.messages[0].description.hasPrefix("Library.xcdatamodeld: warning: entity Task, property descr"))
    }

    @Test("A type name that the target also declares is qualified with its module")
    func ambiguousTypes() {
        let text = objects([entity("Task", [Samples.attribute("at", .date)])], "struct Date {}")
        #expect(text.contains("var at: Foundation.Date? {"))
    }

    @Test("A handwritten class is not generated again, and the error gives its place")
    func doubleClass() {
        let result = Samples.generate([entity("Task")], "import CoreData\n\nclass Task: NSManagedObject {}")
        #expect(result.hasErrors)
        expectEqual(
            result.messages.first?.description.hasPrefix("Source.swift:3: error: the class Task is declared"),
            true
        )
    }

    @Test("A category without a class is an error that names the entity")
    func missingClass() {
        let result = Samples.generate([Entity(name: "Task", className: "Task", codeGeneration: .category)])
        expectEqual(result.messages.first?.description.hasPrefix("Library.xcdatamodeld: error: entity Task: "), true)
    }

    @Test("Members that refer to an internal class are internal too")
    func access() {
        let manual = Entity(name: "Place", className: "Place")
        let text = objects(
            [entity("Task", [Property.toOne("place", "Place")]), manual],
            "class Place: NSManagedObject {}"
        )
        #expect(text.contains("    var place: Place? {"))
    }

    @Test("With manual generation, each entity gets the two files that Xcode writes")
    func xcodeFiles() throws {
        let model = Model(entities: [
            Entity(
                name: "Place",
                className: "Place",
                properties: [
                    Samples.attribute("name", .string), Property.toMany("tasks", "Place"),
                ]
            )
        ])
        let files = XcodeFiles(model: model).files()
        expectEqual(files.keys.sorted(), ["Place+CoreDataClass.swift", "Place+CoreDataProperties.swift"])
        let properties = try #require(files["Place+CoreDataProperties.swift"])
        #expect(properties.contains("    @NSManaged public var name: String?\n"))
        #expect(
            properties.contains("@objc(addTasksObject:)\n#endif\n    @NSManaged public func addToTasks(_ value: Place)")
        )
        #expect(properties.hasSuffix("extension Place: Identifiable {}\n"))
    }
}
