// Tests that porting keeps all code with an effect beyond the user interface.
import CoreData
import ExpectationSupport
import Foundation
import GraphPorting
import Testing

@Suite("Porting loses no behaviour")
struct LosslessTests {
    private func port(_ text: String) -> Porter.Ported {
        Porter.port([
            Porter.Source(path: "A.swift", text: "import CoreData\nimport UIKit\nimport CoreLocation\n\n" + text)
        ])[0]
    }

    /// The text without its imports, which porting rewrites.
    private func body(_ text: String) -> String {
        text.components(separatedBy: "\n\n").dropFirst().joined(separator: "\n\n")
    }

    @Test(
        "Code with effects beyond the user interface is kept and reported",
        arguments: [
            // A statement whose arguments, closures or target may have other effects.
            "class S {\n    func f() {\n        prepare()\n        UIApplication.shared.open(makeURL())\n    }\n}",
            "class S {\n    func f() {\n        prepare()\n        UIView.animate { self.save() }\n    }\n}",
            "class S {\n    func f(_ t: Item) {\n        prepare()\n        t.colour = UIColor.red.name\n    }\n}",
            "class S {\n    func f() {\n        prepare()\n        record(UIDevice.current.name)\n    }\n}",
            "class S {\n    func f() {\n        prepare()\n        UIPasteboard.general.string = next()\n    }\n}",
            // A member that also saves, or whose signature names the framework.
            "class S {\n    func save(_ image: UIImage) {\n        try! context.save()\n    }\n}",
            "class S {\n    func save() -> UIColor {\n        let colour = store()\n        return colour\n    }\n}",
            "class S {\n    var colour: UIColor {\n        count += 1\n        return .red\n    }\n}",
            "class S {\n    var colour: UIColor = register()\n}",
            "class S {\n    init(_ view: UIView) {\n        context.reset()\n    }\n}",
            // A property whose value is stored.
            "class S: NSManagedObject {\n    @NSManaged var colour: UIColor?\n}",
            "class S {\n    @Stored(\"colour\") var colour: UIColor?\n}",
            // A type that is not a view.
            "class S: NSObject, CLLocationManagerDelegate {\n    func save() {}\n}",
            "struct S: CLLocationThing {\n    func save() {}\n}",
            // A case with an associated value.
            "enum S {\n    case image(UIImage)\n}",
        ]
    )
    func effects(text: String) {
        let ported = port(text)
        expectEqual(body(ported.after), text)
        let rest = ported.findings.filter { $0.line > 4 }
        #expect(!rest.isEmpty && rest.allSatisfy { !$0.isFixed && $0.rule == "apple-only" }, "\(rest)")
    }

    @Test("A branch that becomes empty gets a break")
    func emptiedBranch() {
        let text = """
            class S {
                func f(_ x: Int) {
                    switch x {
                    case 1:
                        UIApplication.shared.beginIgnoringInteractionEvents()
                    default:
                        save()
                    }
                    save()
                }
            }
            """
        let wanted = """
                    case 1:
                        #if canImport(UIKit)
                        UIApplication.shared.beginIgnoringInteractionEvents()
                        #else
                        break
                        #endif
                    default:
            """
        #expect(port(text).after.contains(wanted))
    }

    @Test("Logging and locks are kept, with a module that replaces Apple's")
    func system() {
        let text = """
            import os

            final class Store {
                private let lock = OSAllocatedUnfairLock(initialState: 0)
                private let logger = Logger(subsystem: "a", category: "b")
                func save(entry: Int) {
                    switch entry {
                    case 0:
                        logger.error("nothing")
                    default:
                        lock.withLock { $0 += entry }
                    }
                }
            }

            """
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        let head = "import Foundation\n#if canImport(os)\nimport os\n#else\nimport ApplePlatformShims\n#endif\n"
        expectEqual(ported.after, text.replacing("import os\n", with: head))
        #expect(ported.findings.allSatisfy { $0.isFixed })
    }

    @Test("Views inside an #if of the file are excluded inside of it")
    func conditions() {
        let text = "#if DEBUG\nclass Preview: UIView {}\n#endif\n\nfunc save() {}\n"
        let ported = port(text)
        #expect(ported.after.contains("#if canImport(UIKit)\n#if DEBUG\nclass Preview: UIView {}\n#endif\n#endif\n"))
        #expect(ported.findings.allSatisfy { $0.isFixed })
    }

    @Test("A stack that is excluded with the application's delegate is reported")
    func stack() {
        let ported = port(
            """
            class AppDelegate: UIResponder, UIApplicationDelegate {
                lazy var container = NSPersistentContainer(name: "M")
            }

            """
        )
        #expect(ported.findings.contains { !$0.isFixed && $0.message.contains("the Core Data stack in AppDelegate") })
    }

    @Test(
        "Combine is left to views, or replaced by our notification observation or by OpenCombine, as the code needs",
        arguments: [
            ("@Published var n = 0", nil), ("@Published var n = 0\n    func f() { objectWillChange.send() }", nil),
            (
                "var c: AnyCancellable?\n    func f() { c = N.default.publisher(for: .x).map { 1 }.sink { _ in } }",
                "CombineShims"
            ),
            ("let s = PassthroughSubject<Int, Never>()", "OpenCombineShim"),
            ("@Published var n = 0\n    func f() { $n.sink { print($0) } }", "OpenCombineShim"),
            ("var p: Published<Int>.Publisher { get }", "OpenCombineShim"),
            (
                "func f() { N.default.publisher(for: .x).debounce(for: 1, scheduler: q).sink { _ in } }",
                "OpenCombineShim"
            ),
            ("func f(_ o: Stack) { o.objectWillChange.sink { } }", "OpenCombineShim"),
        ]
    )
    func combine(member: String, module: String?) {
        let text = "import Combine\nimport Foundation\n\nclass Stack: ObservableObject {\n    \(member)\n}\n"
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        let other = module.map { "#else\nimport \($0)\n" } ?? ""
        #expect(ported.after.hasPrefix("#if canImport(Combine)\nimport Combine\n\(other)#endif\nimport Foundation\n"))
        expectEqual(ported.after.contains("class Stack: ObservableObject {"), (module == "OpenCombineShim"))
    }

    @Test("An existing use of OpenCombine is kept")
    func openCombine() {
        let text = """
            import Foundation
            import OpenCombine

            final class Stack: ObservableObject {
                @Published var count = 0
                let changes = PassthroughSubject<Int, Never>()
            }

            """
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        #expect(!ported.isChanged && ported.findings.isEmpty)
    }

    @Test("A subject in one module keeps the observable objects of the others")
    func modules() {
        let one = Porter.Source(path: "A.swift", text: "import Combine\n\nlet s = PassthroughSubject<Int, Never>()\n")
        let other = Porter.Source(path: "B.swift", text: "import SwiftUI\n\nclass S: ObservableObject { var n = 0 }\n")
        let ported = Porter.port([Porter.Module([one]), Porter.Module([other])])
        #expect(ported[1][0].after.contains("class S: ObservableObject {"))
        #expect(ported[1][0].after.contains("#if !canImport(Combine)\nimport OpenCombineShim\n#endif\n"))
    }

    @Test("A request of a method that a class declares itself is not replaced")
    func ownRequests() {
        let text = """
            import CoreData

            class Note: NSManagedObject {
                @nonobjc class func fetchRequest() -> NSFetchRequest<Note> { NSFetchRequest(entityName: "Note") }
            }
            class Task: Note { static func all() -> Any { super.fetchRequest() as! NSFetchRequest<Task> } }
            func all<T: Note>(_ type: T.Type) -> Any { T.fetchRequest() as! NSFetchRequest<T> }
            let notes = Note.fetchRequest() as! NSFetchRequest<Note>

            """
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        #expect(!ported.isChanged, "\(ported.after)")
        expectEqual(ported.findings.map(\.line), [6, 7, 8])
    }

    @Test("A replaced import stays visible where the original was")
    func exportedImports() {
        let text =
            "@_exported import OSLog\npublic import Combine\n\nlet l = Logger()\nlet s = PassthroughSubject<Int, Never>()\n"
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        #expect(ported.after.contains("#else\n@_exported import ApplePlatformShims\n"), "\(ported.after)")
        #expect(ported.after.contains("#else\npublic import OpenCombineShim\n"), "\(ported.after)")
    }

    @Test("A file that reads the names of key paths imports the module that has them")
    func namesOfKeyPaths() {
        let text = "import Foundation\n\nextension AnyKeyPath { var text: String? { self._kvcKeyPathString } }\n"
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        #expect(ported.after.hasPrefix("import Foundation\nimport CoreData\n"), "\(ported.after)")
    }

    @Test("A file with validation methods imports the module that has their parameter's type")
    func validationMethods() {
        let text =
            "import Foundation\n\nextension Book {\n    func validateTitle(_ value: "
            + "AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}\n}\n"
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        #expect(ported.after.hasPrefix("import Foundation\nimport CoreData\n"), "\(ported.after)")
    }

    @Test("Names of Combine that a file uses through Foundation are imported, and counted")
    func combineThroughFoundation() {
        let stack = Porter.Source(
            path: "A.swift",
            text: "import CoreData\n\nclass S: ObservableObject { let s = PassthroughSubject<Int, Never>() }\n"
        )
        let ported = Porter.port([stack])[0]
        #expect(ported.after.contains("#if !canImport(Combine)\nimport OpenCombineShim\n#endif\n"))
        // Other modules have subjects, records and futures too.
        let other = Porter.Source(path: "B.swift", text: "import RxSwift\n\nlet f: Future<Record>\nlet s = Subject()\n")
        #expect(!Porter.port([other])[0].isChanged)
        #expect(!Porter.port([stack, other])[1].after.contains("OpenCombine"))
    }

    @Test("Three overrides in a row move, and a second run finds nothing")
    func overridesInARow() {
        let text = """
            import CoreData

            class Task: NSManagedObject {
            }

            extension Task {
                override func awakeFromInsert() {
                    super.awakeFromInsert()
                }

                override func willSave() {
                    super.willSave()
                }

                override func didSave() {
                    super.didSave()
                }
            }

            """
        let ported = Porter.port([Porter.Source(path: "A.swift", text: text)])[0]
        for name in ["awakeFromInsert", "willSave", "didSave"] {
            expectEqual(ported.after.components(separatedBy: "override func \(name)()").count, 2)
        }
        #expect(!ported.after.contains("extension") && ported.findings.allSatisfy { $0.isFixed })
        let again = Porter.port([Porter.Source(path: "A.swift", text: ported.after)])[0]
        #expect(!again.isChanged && again.findings.isEmpty)
    }

    @Test("An override that moves into another file takes the import of logging along")
    func movedLogging() throws {
        let life = """
            import CoreData
            import os

            extension Task {
                override func didSave() {
                    os_log("saved")
                }
            }

            """
        let ported = Porter.port([
            Porter.Source(path: "L.swift", text: life),
            Porter.Source(path: "T.swift", text: "import CoreData\n\nclass Task: NSManagedObject {}\n"),
        ])
        let head =
            "import CoreData\n#if canImport(os)\nimport os\n#else\nimport ApplePlatformShims\n#endif\n\nclass Task"
        #expect(ported[1].after.hasPrefix(head))
    }
}
