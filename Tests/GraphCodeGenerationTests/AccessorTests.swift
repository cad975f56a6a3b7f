// Tests the code generated for handwritten managed declarations, and the declarations that are refused.
import ExpectationSupport
import Foundation
import GraphCodeGeneration
import GraphModel
import ModelSupport
import Testing

@Suite("Accessors of managed declarations")
struct AccessorTests {
    private let task = Entity(
        name: "Task",
        className: "Task",
        properties: [Samples.attribute("dueDate", .date), Property.toMany("toDos", "Task")]
    )

    private func accessors(_ members: String) -> String {
        Samples.generate([task], "class Task: NSManagedObject {\n\(members)\n}").files["ManagedAccessors.swift"] ?? ""
    }

    @Test("A name that begins with primitive reads and writes without change tracking")
    func primitive() {
        let text = accessors("@NSManaged var primitiveDueDate: Date?")
        #expect(text.contains("managedPrimitiveValue(for: ManagedObjectProperties.Task_dueDate)"))
        #expect(text.contains("setManagedPrimitiveValue(value, for: ManagedObjectProperties.Task_dueDate)"))
    }

    @Test("A managed property has the key that @objc gives it, and its key path too")
    func objectiveCName() {
        let source = """
            class Task: NSManagedObject {
                @NSManaged
                #if canImport(ObjectiveC)
                @objc(dueDate)
                #endif
                private(set) var storedDate: Date?
                @nonobjc var dueDate: String { "" }
                @nonobjc var label: String { "" }
            }
            """
        let result = Samples.generate([task], source)
        let accessors = result.files["ManagedAccessors.swift"] ?? ""
        #expect(accessors.contains("managedValue(for: ManagedObjectProperties.Task_dueDate)"), "\(accessors)")
        #expect(result.messages.isEmpty)
        let text = result.files["ManagedObjectRegistration.swift"] ?? ""
        #expect(text.contains("ManagedKeyPath(\"dueDate\", \\Task.storedDate"), "\(text)")
        for absent in ["computed[", "\\Task.dueDate", "label"] { #expect(!text.contains(absent)) }
    }

    @Test("The accessors and the registration of a class that may not be compiled have its condition")
    func conditionalClass() {
        let source = """
            #if DEBUG
            class Sample: NSManagedObject {
                @NSManaged var name: String?
                #if EXTRA
                @NSManaged var other: String?
                #endif
                var label: String { "" }
            }
            #endif
            """
        let result = Samples.generate([], source)
        #expect(result.messages.isEmpty)
        let accessors = result.files["ManagedAccessors.swift"] ?? ""
        for condition in ["DEBUG", "(DEBUG) && (EXTRA)"] {
            #expect(accessors.contains("\n#if \(condition)\nnonisolated extension Sample {\n"), "\(accessors)")
        }
        expectEqual(accessors.components(separatedBy: "extension Sample {").count, 3)
        let text = result.files["ManagedObjectRegistration.swift"] ?? ""
        #expect(text.contains("    classes.reserveCapacity(1)\n#if DEBUG\n    do {\n"), "\(text)")
        #expect(text.contains("name: \"Sample\", type: Sample.self") && text.contains("\n    }\n#endif\n    return"))
        #expect(text.contains("ManagedKeyPath(\"name\", \\Sample.name") && !text.contains("\\Sample.other"))
    }

    @Test("A class with a declaration for each branch of a condition is registered for each of them")
    func classOfBothBranches() {
        let entity = Entity(name: "Task", className: "Task", codeGeneration: .category)
        let source = """
            #if FAST
            class Task: NSManagedObject { @NSManaged var name: String? }
            #else
            class Task: NSManagedObject { @NSManaged var name: String? }
            #endif
            """
        let result = Samples.generate([entity], source)
        let accessors = result.files["ManagedAccessors.swift"] ?? ""
        for condition in ["FAST", "!(FAST)"] {
            #expect(accessors.contains("\n#if \(condition)\nnonisolated extension Task {\n"), "\(accessors)")
        }
        let condition = "\n#if (FAST) || (!(FAST))\n"
        #expect(result.files["ManagedObjectRegistration.swift"]?.contains("\(condition)    do {") == true)
        #expect(result.files["ManagedObjects.swift"]?.contains("\(condition)nonisolated extension Task {") == true)
    }

    @Test("A computed property does not answer for the key of a managed one with another name")
    func renamedKey() {
        let source = """
            class Task: NSManagedObject {
                @NSManaged @objc(dueDate) var storedDate: Date?
                var dueDate: String { "" }
            }
            """
        let text = Samples.generate([task], source).files["ManagedObjectRegistration.swift"] ?? ""
        #expect(text.contains("\\Task.storedDate") && !text.contains("computed["), "\(text)")
    }

    @Test(
        "A type that managed objects have too is read by the function for all types",
        arguments: [
            ("Any", true), ("Any?", true), ("AnyObject", true), ("AnyHashable?", true), ("NSObject", true),
            ("NSCoding?", true), ("any NSCoding & NSObjectProtocol", true), ("[Any]", false),
            ("Set<NSManagedObject>", false),
            ("NSManagedObject", false), ("Task?", false), ("NSString?", false),
        ]
    )
    func anyValue(type: String, isRead: Bool) {
        let text = accessors("@NSManaged var dueDate: \(type)")
        expectEqual(text.contains(" managedAnyValue(for: ManagedObjectProperties.Task_dueDate)"), isRead)
        expectEqual(text.contains(" managedValue(for: ManagedObjectProperties.Task_dueDate)"), !isRead)
        #expect(text.contains("setManagedValue(value, for: ManagedObjectProperties.Task_dueDate)"))
    }

    @Test("The model determines the relationship that a method's name refers to")
    func relationshipNames() {
        #expect(accessors("@NSManaged func addToDos(_ v: NSSet)").contains("addToManaged(v0, for: ManagedObjectProp"))
        let whole = accessors("@NSManaged func addToToDos(_ v: Task)")
        #expect(whole.contains("addToManaged(v0, for: ManagedObjectProperties.Task_toDos)"))
        let inserted = accessors("@NSManaged func insertObject(_ v: Task, inToDosAtIndex i: Int)")
        #expect(inserted.contains("insertIntoManaged(v0, at: v1, for: ManagedObjectProperties.Task_toDos)"))
    }

    @Test("A method that is not an accessor is an error with its line")
    func unknownMethod() {
        let result = Samples.generate([task], "class Task: NSManagedObject {\n@NSManaged func sing()\n}")
        expectEqual(result.messages.first?.description.hasPrefix("Source.swift:2: error: @NSManaged func sing()"), true)
    }

    @Test("An undeclared type is an error that names it")
    func unknownType() {
        let result = Samples.generate([task], "class Task: NSManagedObject {\n@NSManaged var dueDate: Missing?\n}")
        expectEqual(
            result.messages.first?.description.hasPrefix("Source.swift:2: error: Task.dueDate: the type Missing"),
            true
        )
    }

    @Test("A private class is refused, as its accessors would be in another file")
    func privateClass() {
        let result = Samples.generate([], "private class Task: NSManagedObject {\n@NSManaged var dueDate: Date?\n}")
        expectEqual(
            result.messages.first?.description.hasPrefix("Source.swift:2: error: the class Task is private"),
            true
        )
    }

    @Test(
        "A class in the body of a function, a closure or a getter is an error with its line, if it has managed members",
        arguments: [
            "func f() {\n#\n}", "struct S { let block = {\n#\n} }", "var v: Int {\n#\n return 1 }",
            "class Task: NSManagedObject { func f() { struct S {\n#\n} } }",
            "func f() {\n#if canImport(Darwin)\n#else\n#\n#endif\n}",
        ]
    )
    func localClass(_ source: String) throws {
        let local = "class Local: NSManagedObject { @NSManaged var name: String?; @NSManaged var other: String? }"
        let line = try #require(source.components(separatedBy: "\n").firstIndex(of: "#")) + 1
        let text = source.replacingOccurrences(of: "\n#\n", with: "\n\(local)\n")
        let result = Samples.generate([], text)
        expectEqual(result.messages.count, 1)
        let head = "Source.swift:\(line): error: the class Local has @NSManaged members"
        expectEqual(result.messages.first?.description.hasPrefix(head), true, "\(result.messages)")
        #expect(Samples.generate([], text.replacingOccurrences(of: "@NSManaged", with: "")).messages.isEmpty)
    }

    @Test("A class in a body that may not be compiled is a warning, and none if it is not compiled")
    func conditionalLocalClass() {
        let local = "class Local: NSManagedObject { @NSManaged var name: String? }"
        let conditions = ["EXTRA": [GenerationMessage.Severity.warning], "canImport(Darwin)": []]
        for (condition, expected) in conditions {
            let result = Samples.generate([], "func f() {\n#if \(condition)\n\(local)\n#endif\n}")
            expectEqual(result.messages.map(\.severity), expected)
        }
    }

    @Test("Computed properties and validators of a superclass are registered for its subclasses")
    func inheritedTables() {
        let base = """
            class Base: NSManagedObject {
                var label: String { "" }
                func validateDueDate(_ value: Date) throws {}
                private var hidden: Int { 1 }
            }
            class Task: Base {}
            """
        let text = Samples.generate([task], base).files["ManagedObjectRegistration.swift"] ?? ""
        #expect(text.contains("computed[\"label\"] = { ($0 as? Task).flatMap { $0.label as Any? } }"))
        #expect(text.contains("validators[\"dueDate\"] = { object, value in"))
        #expect(!text.contains("hidden"))
    }

    @Test(
        "A validator gets a value of its parameter's type, as code outside of the class spells it",
        arguments: [
            ("_ value: Kind", "guard let value = value as? Task.Kind else { return }"),
            ("_ value: [Kind]?", "object.validateDueDate(value as? [Task.Kind])"),
            ("_ value: Mark", "guard let value = value as? Task.Mark else { return }"),
            ("_ value: inout Set<Kind>?", "var typed = value as? Set<Task.Kind>"),
            ("_ value: inout Date", "guard var typed = value as? Date else { return }"),
            ("_ value: inout Date?", "var typed = value as? Date\n"), ("_ value: inout Any?", "Date(&value)"),
            ("_ value: inout Any", "guard var typed = value else { return }"),
            ("_ value: Any", "guard let value = value else { return }"),
            ("_ value: consuming Date", "guard let value = value as? Date else { return }"),
            ("_ done: @escaping (Date) -> Void", nil), ("_ done: @escaping Handler", nil),
            ("_ value: some Equatable", nil), ("_ values: [some Equatable]?", nil),
            ("_ value: AutoreleasingUnsafeMutablePointer<NSDate?>", nil),
        ]
    )
    func validators(parameter: String, line: String?) {
        let source = """
            class Task: NSManagedObject {
                enum Kind { case plain }
                typealias Mark = Int
                func validateDueDate(\(parameter)) throws {}
            }
            typealias Handler = (Date) -> Void
            """
        let text = Samples.generate([task], source).files["ManagedObjectRegistration.swift"] ?? ""
        expectEqual(text.contains("validators[\"dueDate\"]"), line != nil)
        if let line { #expect(text.contains(line), "\(text)") }
    }

    @Test(
        "A computed property that reads its own key is not registered as that key's value",
        arguments: [
            (#"{ value(forKey: "dueDate") as? Date }"#, false), (#"{ self.value(forKey: #function) as? Date }"#, false),
            (#"{ value(forKey: #keyPath(Task.dueDate)) as? Date }"#, false),
            (#"{ get { value(forKey: Keys.due) as? Date } set {} }"#, false),
            (#"{ value(forKeyPath: "dueDate.day") as? Date }"#, false),
            (#"{ get { value(forKey: "other") as? Date } set { _ = value(forKey: "dueDate") } }"#, true),
            (#"{ primitiveValue(forKey: "dueDate") as? Date }"#, true),
            (#"{ parent.value(forKey: "dueDate") as? Date }"#, true),
        ]
    )
    func ownKey(getter: String, isRegistered: Bool) {
        let source = "class Task: NSManagedObject {\nvar dueDate: Date? \(getter)\n}"
        let text = Samples.generate([task], source).files["ManagedObjectRegistration.swift"] ?? ""
        expectEqual(text.contains("computed[\"dueDate\"]"), isRegistered)
    }

    @Test("A computed property whose name is not in the model may read any key")
    func otherKey() {
        let source = "class Task: NSManagedObject {\nvar label: String? { value(forKey: Keys.due) as? String }\n}"
        let text = Samples.generate([task], source).files["ManagedObjectRegistration.swift"] ?? ""
        #expect(text.contains("computed[\"label\"]"))
    }

    @Test("A class whose model is built in code gets key paths for its @NSManaged properties")
    func keyPathsWithoutAModel() {
        let source = "class Book: NSManagedObject {\n@NSManaged var title: String?\nvar draft = 1\n}"
        let text = Samples.generate([], source).files["ManagedObjectRegistration.swift"] ?? ""
        #expect(text.contains("ManagedKeyPath(\"title\", \\Book.title"), "\(text)")
        #expect(!text.contains("\"draft\""))
    }

    @Test("Properties that Objective-C can read have key paths and values by key; the others have no key paths")
    func objectiveC() {
        let source = """
            class Task: NSManagedObject {
                #if canImport(ObjectiveC)
                @objc
                #endif
                dynamic var isSelected = false
                @objc(isOpen) var open: Bool { true }
                var label: String { "" }
                var draft = 1
                @objc private var secret = 1
                @objc static var shared = 1
            }
            @objcMembers class Note: Task { var pages = 1 }
            @objc extension Note { var shout: String { "" } }
            """
        let text = Samples.generate([task], source).files["ManagedObjectRegistration.swift"] ?? ""
        for (key, member) in [("isSelected", "isSelected"), ("isOpen", "open")] {
            #expect(text.contains("computed[\"\(key)\"] = { ($0 as? Task).flatMap { $0.\(member) as Any? } }"))
            for name in ["Task", "Note"] {
                let paths = "\\\(name).\(member), \\\(name)?.?.\(member)"
                #expect(text.contains("ManagedKeyPath(\"\(key)\", \(paths))"), "\(text)")
            }
        }
        for name in ["pages", "shout"] { #expect(text.contains("ManagedKeyPath(\"\(name)\", \\Note.\(name)")) }
        #expect(text.contains("computed[\"label\"]") && !text.contains("ManagedKeyPath(\"label\""))
        for name in ["draft", "secret", "shared"] { #expect(!text.contains("\"\(name)\"")) }
    }

    @Test(
        "An alias is public if a declaration that is public or inlinable names the type",
        arguments: [
            ("public struct Query { public func make() -> NSExpression? { nil } }", true),
            ("public extension Query { func make(_ e: [NSExpression]) {} }", true),
            ("public protocol Making { var e: NSExpression { get } }", true),
            ("public struct Query { func make() -> NSExpression? { nil } }", false),
            ("public func make() { let e: NSExpression? = nil; _ = e }", false),
            ("public extension Query { private func make(_ e: NSExpression) {} }", false),
            ("public struct Query { package static var key: NSExpression { make() } }", true),
            ("public struct Query { public static let key = NSExpression(forKeyPath: \"a\") }", true),
            ("extension Query { @inlinable public func run() { use(NSExpression(forKeyPath: \"a\")) } }", true),
            ("extension Query { public func run() { use(NSExpression(forKeyPath: \"a\")) } }", false),
        ]
    )
    func publicAliases(source: String, isPublic: Bool) {
        let text = Samples.generate([], source).files["ManagedGraphAliases.swift"] ?? ""
        let access = isPublic ? "public " : ""
        #expect(text.contains("\n\(access)typealias NSExpression = GraphPredicates.NSExpression\n"))
        #expect(text.contains("\ntypealias NSComparisonPredicate ="))
    }

    @Test("Aliases are written for type names shared with Foundation, unless the target declares them")
    func aliases() {
        let text = Samples.generate([], "class NSExpression {}").files["ManagedGraphAliases.swift"] ?? ""
        #expect(!text.contains("typealias NSExpression"))
        #expect(text.contains("typealias NSComparisonPredicate = GraphPredicates.NSComparisonPredicate"))
    }

    @Test(
        "The function that finds classes by name is written for targets that call it and do not declare it",
        arguments: [
            ("let type: AnyClass? = NSClassFromString(\"Task\")", ""), ("let name = \"NSClassFromString\"", nil),
            ("extension Query { @inlinable public func run() { _ = NSClassFromString(name) } }", "public "),
            ("func NSClassFromString(_ name: String) -> AnyClass? { nil }\nlet t = NSClassFromString(\"T\")", nil),
        ]
    )
    func classFunction(source: String, access: String?) {
        let text = Samples.generate([], source).files["ManagedGraphAliases.swift"] ?? ""
        expectEqual(text.contains("func NSClassFromString"), access != nil)
        if let access {
            #expect(text.contains("\n\(access)func NSClassFromString(_ aClassName: String) -> AnyClass? {"))
        }
    }

    @Test("Types of dependencies are found through aliases, extensions and superclasses in any of their files")
    func typesOfDependencies() {
        func dependency(_ module: String, _ files: [String]) -> TargetGenerator.Dependency {
            .init(module: module, sources: files.enumerated().map { .init(path: "\($0).swift", text: $1) })
        }
        let paint = dependency(
            "Paint",
            [
                "public struct Unused {}", "public class Base: Root {}", "public typealias Colour = Shade",
                "public enum Shade: Int16, Sendable { case light }", "public enum Palette {}",
                "extension Palette {\n    public\n    enum `Tint`: Int16 { case cold }\n}",
            ]
        )
        let roots = dependency("Roots", ["open class Root: Roots.Deep {}", "open class Deep: NSManagedObject {}"])
        let result = Samples.generate(
            [task],
            """
            class Task: Base {
                @NSManaged var colour: Colour?
                @NSManaged var tint: Paint.Palette.Tint?
                @NSManaged var other: Unknown?
            }
            """,
            dependencies: [paint, roots]
        )
        let messages = result.messages.filter { $0.severity == .error }.map(\.text)
        expectEqual(messages.count, 1)
        #expect(messages[0].contains("the type Unknown is declared neither"))
        let text = result.files["ManagedAccessors.swift"] ?? ""
        #expect(text.contains("$s5Shelf4TaskC6colour5Paint5ShadeOSg"), "\(text)")
        #expect(text.contains("$s5Shelf4TaskC4tint5Paint7PaletteO4TintOSg"), "\(text)")
    }

    @Test("All generated code compiles without a warning, links and runs", arguments: ["-Onone", "-O"])
    func wholeTarget(optimisation: String) throws {
        let compiler = try Compiler()
        let result = Samples.generate(
            Samples.entities,
            Samples.source,
            file: "Loan.swift",
            dependencies: [Samples.paint]
        )
        #expect(result.messages.filter { $0.severity == .error }.isEmpty)
        try compiler.write(Samples.source, to: "Loan.swift")
        for (name, text) in result.files { try compiler.write(text, to: name) }
        try compiler.write(FakeFramework.predicates, to: "GraphPredicates/GraphPredicates.swift")
        try compiler.write(FakeFramework.graph(), to: "ManagedGraph/ManagedGraph.swift")
        try compiler.write(Samples.paint.sources[0].text, to: "Paint/Paint.swift")
        try compiler.write(FakeFramework.program, to: "main.swift")
        let modules: [(String, [String])] = [
            ("GraphPredicates", ["GraphPredicates/GraphPredicates.swift"]),
            ("ManagedGraph", ["ManagedGraph/ManagedGraph.swift"]), ("Paint", ["Paint/Paint.swift"]),
            ("Shelf", ["Loan.swift"] + TargetGenerator.fileNames),
        ]
        // Release builds compile whole modules, debug builds file by file.
        let mode = optimisation == "-O" ? ["-O", "-wmo"] : ["-Onone", "-enable-testing"]
        for (module, files) in modules {
            let output = try compiler.run(
                ["swiftc", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I", "."] + mode
                    + ["-emit-module", "-emit-library", "-static", "-module-name", module, "-o", "lib\(module).a"]
                    + files
            )
            try #require(output.status == 0, "\(module): \(output.text)")
        }
        let libraries = modules.reversed().map { "-l\($0.0)" }
        // The models and classes are in a static library, from which the linker takes only referenced objects.
        let link = try compiler.run(
            ["swiftc", "-swift-version", "6", "-I", ".", "-L", ".", "main.swift", "-o", "program"] + mode + libraries
                + ["-Xlinker", "--gc-sections"]
        )
        try #require(link.status == 0, "\(link.text)")
        let run = try compiler.run(["./program"])
        expectEqual(run.text, "OK\n", "\(run.text)")
        expectEqual(run.status, 0, "\(run.text)")
    }
}
