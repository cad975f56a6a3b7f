// Tests code that porting keeps, its reports, and edits across the files of a module.
import ExpectationSupport
import GraphPorting
import Testing

@Suite("Porting")
struct PorterTests {
    private func port(_ files: [String: String], generated: [String: String] = [:]) -> [String: Porter.Ported] {
        let sources = files.sorted { $0.key < $1.key }.map { Porter.Source(path: $0.key, text: $0.value) }
        return Dictionary(uniqueKeysWithValues: Porter.port(sources, generated: generated).map { ($0.path, $0) })
    }

    private func findings(_ text: String) -> [Finding] { port(["A.swift": text])["A.swift"]?.findings ?? [] }

    @Test("A file that does not parse is reported and not changed")
    func unparsed() throws {
        let text = "@objc class A {\n    func (\n"
        let ported = try #require(port(["A.swift": text])["A.swift"])
        #expect(!ported.isChanged)
        expectEqual(ported.findings.map(\.rule), ["syntax"])
    }

    @Test("Line endings and bytes between the edits are kept, even with CR LF and without a last newline")
    func bytes() throws {
        let text = "import CoreData\r\n\r\n@objc(A)\r\nclass A: NSManagedObject {}\t// é 👩‍👩‍👧"
        let ported = try #require(port(["A.swift": text])["A.swift"])
        let wanted =
            "import CoreData\r\n\r\n#if canImport(ObjectiveC)\r\n@objc(A)\r\n#endif\r\nclass A: NSManagedObject {}\t// é 👩‍👩‍👧"
        expectEqual(Array(ported.after.utf8), Array(wanted.utf8))
    }

    @Test("A private initializer behind an attribute becomes required, in one run")
    func privateInitializer() throws {
        let text = """
            import CoreData

            public final class Employee: NSManagedObject {
                public init(context: NSManagedObjectContext, name: String) {
                    super.init(entity: NSEntityDescription(), insertInto: context)
                }

                @objc
                override private init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                    super.init(entity: entity, insertInto: context)
                }
            }
            """
        let ported = try #require(port(["A.swift": text])["A.swift"])
        expectEqual(ported.findings.map(\.isFixed), [true, true])
        let wanted = """
                #if canImport(ObjectiveC)
                @objc
                #endif
                required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
            """
        #expect(ported.after.contains(wanted), "\(ported.after)")
        expectEqual(port(["A.swift": ported.after])["A.swift"]?.findings.count, 0)
    }

    @Test("Calls of Apple's Foundation alone are reported, and not changed")
    func foundation() {
        let text = """
            import CoreData

            func names(_ bundle: Bundle, _ text: String) -> [String] {
                let urls = bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []
                return [String(localized: "Tasks", bundle: .main, comment: "A list"), String(localized: "Tags")]
            }

            func replace(_ url: URL, _ new: URL) throws {
                let files = FileManager.default
                try files.replaceItem(at: url, withItemAt: new, backupItemName: nil, resultingItemURL: nil)
                _ = try files.replaceItemAt(url, withItemAt: new)
            }
            """
        expectEqual(
            findings(text).map { [$0.rule, "\($0.line)"] },
            [["foundation", "4"], ["foundation", "5"], ["foundation", "5"], ["foundation", "10"]]
        )
        #expect(findings(text).allSatisfy { !$0.isFixed })
    }

    @Test("Casts of Swift's values to protocols of Foundation's objects are found")
    func casts() {
        let text = """
            import Foundation

            func archive(_ value: Any) -> Bool {
                if let array = value as? [NSCoding] { return array.isEmpty }
                _ = value as! any NSCopying
                _ = value as? NSString
                _ = (value as? NSArray)?.copy() as NSCopying?
                return value is NSSecureCoding
            }
            """
        expectEqual(
            findings(text).map { [$0.rule, "\($0.line)"] },
            [["foundation", "4"], ["foundation", "5"], ["foundation", "8"]]
        )
    }

    @Test("Messages with an argument, empty lists of bundles and private managed classes are reported")
    func reportedPlaces() {
        let text = """
            import CoreData

            func run(_ context: NSManagedObjectContext, _ selector: Selector) -> NSManagedObjectModel? {
                context.perform(selector, with: 1)
                return NSManagedObjectModel.mergedModel(from: Bundle.allBundles)
            }
            private class Task: NSManagedObject {
                @NSManaged var title: String?
            }
            private class Plain: NSManagedObject {}
            """
        expectEqual(
            findings(text).map { [$0.rule, "\($0.line)"] },
            [["runtime", "4"], ["foundation", "5"], ["managed-class", "7"]]
        )
        #expect(findings(text).allSatisfy { !$0.isFixed })
    }

    @Test("The bundle of a class is reported if a file is looked up in it")
    func bundlesOfClasses() {
        let text = """
            import CoreData

            final class Stack {
                func model() -> NSManagedObjectModel? {
                    NSManagedObjectModel.mergedModel(from: [Bundle(for: Stack.self)])
                }
                func url() -> URL? { Bundle(for: type(of: self)).url(forResource: "Reading", withExtension: "momd") }
                lazy var bundle = Bundle(for: Stack.self)
            }
            """
        expectEqual(findings(text).map { [$0.rule, "\($0.line)"] }, [["foundation", "7"], ["foundation", "8"]])
        #expect(findings(text).allSatisfy { !$0.isFixed })
    }

    @Test("The bundle of a class is reported where its type is left out, too")
    func impliedBundlesOfClasses() {
        let text = """
            import CoreData

            func find(bundle: Bundle = .init(for: Stack.self)) -> Versions { Versions(named: "A", in: bundle) }
            let bundle: Bundle = .init(for: Stack.self)
            let versions = try Versions(named: "Reading", bundle: .init(for: Stack.self))
            let other = Bundle.init(for: Stack.self)
            let request = Request(.init(for: Stack.self), kind: .init(for: Stack.self))
            """
        expectEqual(findings(text).map { "\($0.line) \($0.rule)" }, (3...6).map { "\($0) foundation" })
    }

    @Test("A cast of a results controller to one for a type is reported, and not changed")
    func castControllers() {
        let text = """
            import CoreData

            final class Recent: NSObject, NSFetchedResultsControllerDelegate {
                var titles: [String] = []
                func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                    guard let tasks = controller as? NSFetchedResultsController<NSManagedObject> else { return }
                    titles = tasks.sections?.map(\\.name) ?? []
                }
            }
            """
        expectEqual(findings(text).map { [$0.rule, "\($0.line)"] }, [["results-controller-cast", "6"]])
        #expect(findings(text).allSatisfy { !$0.isFixed })
    }

    @Test("The copy of a fetch request has the type of the request: no cast of it is reported")
    func copiedRequest() {
        let text = """
            import CoreData

            func copy<T>(_ request: NSFetchRequest<T>) -> NSFetchRequest<T>? { request.copy() as? NSFetchRequest<T> }
            """
        expectEqual(findings(text).count, 0)
    }

    @Test("Code that is already under a condition is left alone")
    func conditions() {
        let text = """
            import CoreData
            #if canImport(UIKit)
            import UIKit
            #endif
            #if os(iOS) || os(macOS)
            @objc class A: NSObject { let k = #keyPath(A.x) }
            #elseif DEBUG
            class B: NSObject {}
            #else
            class C: NSObject {}
            #endif
            """
        #expect(findings(text).isEmpty)
    }

    @Test(
        "Code under a condition that Apple's platforms alone fulfil is left alone",
        arguments: [
            "canImport(Darwin)", "canImport(Darwin.C)", "canImport(ActivityKit)", "_runtime(_ObjC)", "os(macOS)",
            "os(iOS) && DEBUG", "!os(Linux)", "targetEnvironment(macCatalyst)",
        ]
    )
    func appleConditions(condition: String) {
        let text = "import CoreData\n#if \(condition)\n@objc class A: NSObject { let k = #keyPath(A.x) }\n#endif\n"
        #expect(findings(text).isEmpty)
        let otherwise = text.replacing("#if \(condition)", with: "#if !(\(condition))")
        expectEqual(findings(otherwise).count, 2)
    }

    @Test("An initializer that Apple's platforms alone compile requires no other one")
    func appleInitializer() {
        let text = """
            import CoreData

            class Employee: NSManagedObject {
                #if canImport(Darwin)
                init(name: String) {
                    super.init(entity: NSEntityDescription(), insertInto: nil)
                }
                #endif
            }
            """
        #expect(findings(text).isEmpty)
        expectEqual(findings(text.replacing("canImport(Darwin)", with: "DEBUG")).count, 1)
    }

    @Test(
        "An import of a framework of Apple gets a condition",
        arguments: ["ActivityKit", "AudioToolbox", "AVFAudio", "simd", "UIKit"]
    )
    func appleImports(module: String) throws {
        let ported = try #require(port(["A.swift": "import Foundation\nimport \(module)\n"])["A.swift"])
        expectEqual(ported.after, "import Foundation\n#if canImport(\(module))\nimport \(module)\n#endif\n")
    }

    @Test("An override moves into its class in another file, with the imports of its file")
    func otherFile() throws {
        let ported = port([
            "Task.swift": "import CoreData\n\nclass Task: NSManagedObject {}\n",
            "Task+Life.swift": """
            import CoreData
            import Logging

            extension Task {
                override func willSave() {
                    super.willSave()
                    print(#keyPath(Task.owner))
                }
            }

            """,
        ])
        expectEqual(
            ported["Task.swift"]?.after,
            """
            import CoreData
            import Logging

            class Task: NSManagedObject {
                override func willSave() {
                    super.willSave()
                    print("owner")
                }
            }

            """
        )
        expectEqual(ported["Task+Life.swift"]?.after, "import CoreData\nimport Logging\n")
    }

    @Test("The extension's access level precedes the modifiers, not a word of a comment")
    func accessOfCommentedOverride() throws {
        let text = """
            import CoreData

            public class Task: NSManagedObject {
            }

            public extension Task {
                /// Do not override this.
                // An override that logs.
                override func willSave() { super.willSave() }
            }
            """
        let after = try #require(port(["A.swift": text])["A.swift"]).after
        #expect(after.contains("/// Do not override this.\n"))
        #expect(after.contains("// An override that logs.\n"))
        #expect(after.contains("\n    public override func willSave()"))
    }

    @Test("An override is left to move by hand if the model generates its class or it uses private declarations")
    func obstacles() throws {
        let life =
            "import CoreData\nextension Task {\n    override func willSave() { help() }\n    private func help() {}\n}\n"
        let generated = try #require(port(["L.swift": life], generated: ["Task": "NSManagedObject"])["L.swift"])
        expectEqual(generated.findings.map(\.isFixed), [false])
        #expect(!generated.isChanged)
        expectEqual(generated.findings.first?.remedy.hasPrefix("The model has Xcode write the class Task"), true)
        let both = port(["L.swift": life, "T.swift": "import CoreData\nclass Task: NSManagedObject {}\n"])
        expectEqual(
            both["L.swift"]?.findings.first?.remedy.contains("It uses help, which is private to this file"),
            true
        )
        expectEqual(both["T.swift"]?.isChanged, false)
    }

    @Test("Code that cannot be rewritten is reported with its position, a reason and a remedy")
    func reports() {
        let text = """
            import CoreData

            @objc protocol Watching {
                @objc optional func changed()
            }
            class Watcher: NSObject {
                func watch(_ task: NSManagedObject) {
                    _ = task.observe(\\.title) { _, _ in }
                    task.addObserver(self, forKeyPath: "title", options: [], context: nil)
                    perform(#selector(go), with: nil)
                    objc_sync_enter(self)
                    let action = #selector(go)
                }
                func go() {}
            }
            """
        let findings = findings(text)
        #expect(findings.allSatisfy { !$0.isFixed && !$0.message.isEmpty && !$0.remedy.isEmpty })
        expectEqual(
            findings.map { "\($0.line):\($0.column) \($0.rule)" },
            [
                "4:5 objc", "8:13 runtime", "9:9 runtime", "10:9 runtime", "10:17 selector", "11:9 runtime",
                "12:22 selector",
            ]
        )
    }

    @Test(
        "The moved conformance to ObservableObject has the condition, the availability and the whole name of its class"
    )
    func movedConformances() throws {
        let text = """
            import Combine
            import CoreData

            #if DEBUG
            @available(iOS 17, macOS 14, *)
            @MainActor
            final class Sample: ObservableObject {}
            #endif
            struct Outer {
                fileprivate class Inner: NSObject, ObservableObject {}
            }
            """
        let ported = try #require(port(["A.swift": text])["A.swift"])
        let wanted = """
            #if DEBUG
            @available(iOS 17, macOS 14, *)
            @MainActor
            final class Sample {}

            #if canImport(Combine)
            @available(iOS 17, macOS 14, *)
            extension Sample: ObservableObject {}
            #endif
            #endif
            struct Outer {
                fileprivate class Inner: NSObject {}
            }

            #if canImport(Combine)
            extension Outer.Inner: ObservableObject {}
            #endif
            """
        #expect(ported.after.hasSuffix(wanted), "\(ported.after)")
    }

    @Test(
        "A conformance to ObservableObject that no extension can have is reported",
        arguments: [
            "func f() { class Local: ObservableObject {} }", "let f = { class Local: ObservableObject {} }",
            "struct Outer { private class Inner: ObservableObject {} }",
            "struct Outer { private enum Middle { class Inner: ObservableObject {} } }",
            "struct Outer {\n#if DEBUG\nclass Inner: ObservableObject {}\n#endif\n}",
        ]
    )
    func immovableConformances(declaration: String) throws {
        let ported = try #require(port(["A.swift": "import Combine\nimport CoreData\n\n\(declaration)\n"])["A.swift"])
        #expect(ported.after.hasSuffix("\n\(declaration)\n"), "\(ported.after)")
        expectEqual(ported.findings.filter { $0.rule == "observable-object" }.map(\.isFixed), [false])
    }

    @Test("A key path has the Objective-C names of its own types, and is reported if these are unknown and differ")
    func objectiveCNamesOfKeyPaths() throws {
        let text = """
            import CoreData

            class Person: NSManagedObject {
                @NSManaged @objc(isDone) var done: Bool
                @NSManaged @objc(fullName) var name: String
                @NSManaged var tasks: Set<Task>
            }
            class Child: Person {}
            class Task: NSManagedObject {
                @NSManaged var done: Bool
                @NSManaged var owner: Person?
                var key: String { #keyPath(owner.done) }
            }
            let a = #keyPath(Task.done)
            let b = #keyPath(Child.done)
            let c = #keyPath(Task.owner.tasks.done)
            let d = #keyPath(Task.owner.name)
            let e = #keyPath(Elsewhere.name)
            let f = #keyPath(Elsewhere.done)
            """
        let ported = try #require(port(["A.swift": text])["A.swift"])
        for line in [
            "    var key: String { \"owner.isDone\" }", "let a = \"done\"", "let b = \"isDone\"",
            "let c = \"owner.tasks.done\"", "let d = \"owner.fullName\"", "let e = \"fullName\"",
            "let f = #keyPath(Elsewhere.done)",
        ] {
            #expect(ported.after.split(separator: "\n").contains { $0 == line }, "\(line): \(ported.after)")
        }
        let keyPathFindings = ported.findings.filter { $0.rule == "key-path" }
        expectEqual(keyPathFindings.map(\.isFixed), [true, true, true, true, true, true, false])
    }

    @Test("Names that the module declares are not taken for a framework's")
    func ownNames() {
        let text = """
            import CoreData
            import SwiftUI

            class List: NSManagedObject { @NSManaged var state: State? }
            class State: NSManagedObject {}
            """
        expectEqual(findings(text).map(\.rule), ["import"])
    }

    @Test("Methods that the module declares are not taken for key-value observing")
    func ownMethods() {
        let uses = "\nfunc watch(_ task: Task) { task.publisher(for: \\.title); task.observe(\\.title) { _ in } }\n"
        let own = """
            import CoreData

            extension Task {
                func publisher<Value>(for path: KeyPath<Task, Value>) {}
                func observe<Value>(_ path: KeyPath<Task, Value>, change: (Value) -> Void) {}
            }
            """
        expectEqual(findings("import CoreData\n" + uses).map(\.rule), ["runtime", "runtime"])
        expectEqual(findings(own + uses).map(\.rule), [])
    }

    @Test("Methods of a module are not taken for key-value observing in its tests")
    func methodsOfTestedModule() {
        let tested = """
            import Foundation

            public final class Settings {
                public func publisher<Value>(for path: KeyPath<Settings, Value>) {}
            }
            """
        let test = """
            import Foundation
            @testable import Settings

            func watch(_ settings: Settings) { settings.publisher(for: \\.title) }
            """
        let ported = Porter.port([
            Porter.Module([Porter.Source(path: "Settings.swift", text: tested)]),
            Porter.Module([Porter.Source(path: "Tests.swift", text: test)]),
        ])
        expectEqual(ported.flatMap { $0 }.flatMap(\.findings).map(\.rule), [])
    }

    @Test("A class looked up by its name alone is reported")
    func classNames() {
        let text = """
            import CoreData

            func type(of entity: NSEntityDescription) -> AnyClass? { NSClassFromString(entity.managedObjectClassName) }
            let task: AnyClass? = NSClassFromString("Tasks.Task")
            """
        expectEqual(findings(text).map { "\($0.line) \($0.rule)" }, ["3 runtime"])
    }

    @Test("A submodule becomes its module; an import of one declaration stays")
    func submodules() {
        let text =
            "import CoreData.NSFetchRequest // fetch\nimport class CoreData.NSManagedObject\n"
            + "import UIKit.UIView\n"
        let ported = port(["A.swift": text])["A.swift"]?.after
        expectEqual(
            ported,
            "import CoreData // fetch\nimport class CoreData.NSManagedObject\n"
                + "#if canImport(UIKit)\nimport UIKit.UIView\n#endif\n"
        )
    }

    @Test("A file that uses Core Data without an import gets one, unless the names are its module's own")
    func missingImport() throws {
        let text = "// A file.\n\n/// The name.\nfunc name(_ entity: NSEntityDescription) -> String? { entity.name }\n"
        let ported = try #require(port(["A.swift": text])["A.swift"])
        expectEqual(ported.after, text.replacing("/// The", with: "import CoreData\n\n/// The"))
        expectEqual(ported.findings.map { "\($0.line) \($0.rule) \($0.isFixed)" }, ["4 import true"])
        #expect(try #require(port(["A.swift": ported.after])["A.swift"]).findings.isEmpty)
        #expect(findings("import ManagedGraph\n" + text).isEmpty)
        #expect(findings(text + "struct NSEntityDescription { var name: String? }\n").isEmpty)
    }

    @Test("An argument list that comes from elsewhere is reported, and not changed")
    func foreignArgumentLists() {
        let text = """
            import CoreData
            func make(_ format: String, _ list: CVaListPointer) -> NSPredicate {
                NSPredicate(format: format, arguments: list)
            }
            func twice(_ format: String, _ values: [CVarArg]) -> [NSPredicate] {
                withVaList(values) {
                    print(format)
                    return [NSPredicate(format: format, arguments: $0)]
                }
            }
            """
        let ported = port(["A.swift": text])["A.swift"]
        expectEqual(ported?.after, text)
        expectEqual(ported?.findings.map { "\($0.line) \($0.rule)" }, ["3 argument-list", "8 argument-list"])
    }

    @Test("A condition ends before the condition of the next line begins")
    func adjacentConditions() {
        let text = "import CoreData\nimport UIKit\ntypealias Picture = UIImage\nlet name = \"a\"\n"
        expectEqual(
            port(["A.swift": text])["A.swift"]?.after,
            "import CoreData\n#if canImport(UIKit)\nimport UIKit\n#endif\n#if canImport(UIKit)\n"
                + "typealias Picture = UIImage\n#endif\nlet name = \"a\"\n"
        )
    }

    @Test("An array literal assigned to a property that has no set, or may have none, stays")
    func arrayLiterals() {
        let text = """
            import CoreData

            class Person: NSManagedObject { @NSManaged var cars: NSSet; var names: NSSet = []; var shoes: NSOrderedSet }
            class Shop { var names: [String] = [] }
            func fill(_ person: Person, _ shop: Shop) {
                shop.names = ["a"]
                person.shoes = ["a"]
                shop.names = ["a"] as [String]
                person.unknown = ["a"]
            }
            """
        expectEqual(findings(text).map(\.rule), [])
    }

    @Test("The logger of swift-log is not taken for Apple's")
    func logger() {
        let text = "import Logging\nimport OSLog\n\nlet logger = Logger(label: \"x\")\n"
        expectEqual(findings(text).map(\.rule), ["import"])
    }

    @Test("Uses of an excluded member are excluded or reported")
    func usesOfLeftOut() throws {
        let text = """
            import CoreData
            import UIKit

            class Badge {
                var label = UILabel()
                func save() {
                    label.setNeedsLayout()
                    self.label.text = "saved"
                    later { self.label.setNeedsLayout() }
                }
                func value() -> Any {
                    return label
                }
                func local(label: Int) -> Int { label }
                func later(_ work: () -> Void) { work() }
            }
            class Other {
                func show(_ badge: Badge) { badge.label.setNeedsLayout() }
            }
            """
        let ported = try #require(port(["A.swift": text])["A.swift"])
        #expect(ported.after.contains("        #if canImport(UIKit)\n        label.setNeedsLayout()\n        #endif\n"))
        #expect(
            ported.after.contains("        #if canImport(UIKit)\n        self.label.text = \"saved\"\n        #endif\n")
        )
        expectEqual(ported.findings.filter { !$0.isFixed }.map(\.line), [9, 12, 18])
    }
}
